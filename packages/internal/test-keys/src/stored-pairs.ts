import { generateKeyPair, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).readonly();
/** An RSA key pair as PEM texts (SPKI, PKCS#8). */
export type PemPair = z.infer<typeof pair>;

const sixPairs = z.tuple([pair, pair, pair, pair, pair, pair]).readonly();
/** Six different RSA-2048 pairs. */
export type SixPairs = z.infer<typeof sixPairs>;

/**
 * Returns the pairs of a file. If it is missing or invalid, generates pairs and writes the file.
 *
 * Concurrent calls, also in several processes, return the same pairs if the file was missing.
 */
export async function storedPairs(file: string): Promise<SixPairs> {
  const stored = await readPairs(file);
  if (stored !== undefined) return stored;
  const pairs = await Promise.all([newPair(), newPair(), newPair(), newPair(), newPair(), newPair()]);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(pairs));
  try {
    // Unlike a rename, a link never replaces the file of a faster process.
    await link(draft, file);
    return pairs;
  } catch {
    const others = await readPairs(file);
    if (others !== undefined) return others;
    // The file is invalid, or its disk has no links.
    await rename(draft, file);
    return pairs;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readPairs(file: string): Promise<SixPairs | undefined> {
  const content: unknown = await readFile(file, "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  return sixPairs.safeParse(content).data;
}

const generate = promisify(generateKeyPair);

function newPair(): Promise<PemPair> {
  return generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
