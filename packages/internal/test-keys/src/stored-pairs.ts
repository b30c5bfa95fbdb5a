import { generateKeyPair, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).readonly();
/** An RSA key pair as PEM texts (SPKI, PKCS#8). */
export type PemPair = z.infer<typeof pair>;

const sixPairs = z.tuple([pair, pair, pair, pair, pair, pair]).readonly();
/** Six different RSA-2048 pairs. */
export type SixPairs = z.infer<typeof sixPairs>;

/** Returns the pairs of a file. Generates them and writes the file if it cannot be read. */
export async function storedPairs(file: string): Promise<SixPairs> {
  const stored = sixPairs.safeParse(
    await readFile(file, "utf8")
      .then(JSON.parse)
      .catch(() => undefined),
  );
  if (stored.success) return stored.data;
  const pairs = await Promise.all([newPair(), newPair(), newPair(), newPair(), newPair(), newPair()]);
  await mkdir(dirname(file), { recursive: true });
  // Concurrent processes may write the same file. The rename makes it appear whole.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(pairs));
  await rename(draft, file);
  return pairs;
}

const generate = promisify(generateKeyPair);

function newPair(): Promise<PemPair> {
  return generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
