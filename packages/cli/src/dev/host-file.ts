import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { OperatorCredentials } from "./seed-operator.js";

const text = z.string().min(1);

/** The schema of `host.json`. */
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
  dashboard: z
    .strictObject({
      url: text,
      user: text,
      password: text,
      second: z.strictObject({ user: text, password: text }).readonly().optional(),
    })
    .readonly()
    .optional(),
}) satisfies z.ZodType<HostFacts>;

/** What a program needs to use a running host: addresses, credentials and demo ids. */
export interface HostFacts {
  /** The base URL of the payments and session endpoints. */
  readonly baseUrl: string;
  /** The base URL of the downloads endpoints. */
  readonly metricsBaseUrl: string;
  /** The demo app: account-based, with a service type and download counts. */
  readonly appId: string;
  readonly appSecret: string;
  /** A client with a large allowance that may read the demo app's download counts. */
  readonly downloadsClientId: string;
  readonly sandbox: {
    /** The base URL of the calls that control customers, wallet faults and the clock. */
    readonly control: string;
  };
  /** A second account-based app, which must never see the data of the first. */
  readonly secondAppId: string;
  readonly secondAppSecret: string;
  /** An app whose customers have no accounts. */
  readonly deviceAppId: string;
  readonly deviceAppSecret: string;
  /** A client that may send three requests a day. */
  readonly limitedDownloadsClientId: string;
  /** A client whose app does not exist. */
  readonly orphanDownloadsClientId: string;
  /** The demo app's service type. One order adds 30 days. */
  readonly serviceTypeNo: string;
  /** The operators' page, and the account of an admin. Absent on a host without the page. */
  readonly dashboard?:
    | {
        readonly url: string;
        readonly user: string;
        readonly password: string;
        /** The account of an operator with the role `finance`, who approves the admin's refunds. */
        readonly second?: OperatorCredentials | undefined;
      }
    | undefined;
}

/**
 * Writes `host.json` into `dataDir` and returns its path. Creates `dataDir` if it is missing.
 *
 * Replaces the file atomically. Only its owner can read the file, which contains secrets.
 */
export async function writeHostFile(dataDir: string, facts: HostFacts): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "host.json");
  const unfinished = `${file}.${String(process.pid)}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
  return file;
}

/**
 * Reads the facts that the host in `dataDir` wrote when it was last ready.
 *
 * @returns `undefined` if the file is missing or has another form.
 */
export async function readHostFile(dataDir: string): Promise<HostFacts | undefined> {
  const text = await readFile(join(dataDir, "host.json"), "utf8").catch(() => "null");
  try {
    return hostFacts.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
