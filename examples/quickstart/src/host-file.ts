import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const text = z.string().min(1);

/** The shape of `host.json`. */
export const hostFacts = z.strictObject({
  baseUrl: text,
  metricsBaseUrl: text,
  appId: text,
  appSecret: text,
  downloadsClientId: text,
  sandbox: z.strictObject({ control: text }).readonly(),
  secondAppId: text,
  secondAppSecret: text,
  deviceAppId: text,
  deviceAppSecret: text,
  limitedDownloadsClientId: text,
  orphanDownloadsClientId: text,
  serviceTypeNo: text,
}) satisfies z.ZodType<HostFacts>;

/** What a program needs to know to use a running host: addresses, credentials and demo ids. */
export interface HostFacts {
  /** Base of the payments and session endpoints. */
  readonly baseUrl: string;
  /** Base of the downloads endpoints. */
  readonly metricsBaseUrl: string;
  /** The demo app: account-based, with a service type and download counts. */
  readonly appId: string;
  readonly appSecret: string;
  /** May read the demo app's download counts, with a generous allowance. */
  readonly downloadsClientId: string;
  readonly sandbox: {
    /** Base of the calls that play the customer, the wallets' troubles and the clock. */
    readonly control: string;
  };
  /** Another account-based app: it must never see the first one's data. */
  readonly secondAppId: string;
  readonly secondAppSecret: string;
  /** An app whose customers have no accounts. */
  readonly deviceAppId: string;
  readonly deviceAppSecret: string;
  /** Allowed three requests a day. */
  readonly limitedDownloadsClientId: string;
  /** Its app does not exist. */
  readonly orphanDownloadsClientId: string;
  /** The demo app's service type; one order adds 30 days. */
  readonly serviceTypeNo: string;
}

/**
 * Writes `host.json` into `dataDir`, which is made when it is missing, and returns its path. Whoever reads it sees the old file or the whole new one, never a
 * part; it holds secrets, so only its owner can read it.
 */
export async function writeHostFile(dataDir: string, facts: HostFacts): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "host.json");
  const unfinished = `${file}.${String(process.pid)}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
  return file;
}

/** What the host in `dataDir` wrote when it was last ready; nothing where the file is missing or none of ours. */
export async function readHostFile(dataDir: string): Promise<HostFacts | undefined> {
  const text = await readFile(join(dataDir, "host.json"), "utf8").catch(() => "null");
  try {
    return hostFacts.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
