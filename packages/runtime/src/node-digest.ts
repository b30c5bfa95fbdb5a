import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { Digest } from "@tillkit/core";

const SHORTEST_KEY = 32;

/**
 * A secret key for keyed digests.
 *
 * Store it outside the database: a stolen database then reveals no phone numbers.
 */
export interface Pepper {
  /** A positive integer that prefixes every digest made with the key. A version is never reused. */
  readonly version: number;
  /**
   * At least 32 bytes. A string counts by its UTF-8 bytes. `openssl rand -base64 32` creates one.
   */
  readonly key: string | Uint8Array;
}

/** The options of {@link nodeDigest}. */
export interface NodeDigestOptions {
  /**
   * The current pepper, then every other pepper that stored values may still use. Cannot be empty.
   */
  readonly peppers: readonly Pepper[];
}

/**
 * Creates a `Digest` on top of `node:crypto`.
 *
 * Throws if the list is empty, a key has fewer than 32 bytes, a version is not a positive integer,
 * or two peppers have the same version. The message contains the version and never the key.
 *
 * @returns the digest, for `ports.digest`.
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { nodeDigest } from "@tillkit/runtime";
 *
 * const digest = nodeDigest({ peppers: [{ version: 1, key: randomBytes(32) }] });
 * ```
 */
export function nodeDigest({ peppers }: NodeDigestOptions): Digest {
  const versions = new Set(peppers.map(({ version }) => version));
  if (versions.size !== peppers.length) throw new Error("Two peppers have the same version.");
  const [current, ...older] = peppers.map(keyOf);
  if (current === undefined) throw new Error("At least one pepper is needed.");
  return {
    sha256: (text) => hash("sha256", text, "hex"),
    keyed: (text) => [hmac(current, text), ...older.map((key) => hmac(key, text))],
  };
}

interface PepperKey {
  readonly prefix: string;
  readonly key: KeyObject;
}

function keyOf({ version, key }: Pepper): PepperKey {
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new Error(`The version of a pepper must be a positive integer, not ${version}.`);
  }
  const bytes = typeof key === "string" ? Buffer.from(key, "utf8") : key;
  if (bytes.length < SHORTEST_KEY) {
    throw new Error(
      `Pepper version ${version} has a key of ${bytes.length} bytes; at least ${SHORTEST_KEY} are needed.`,
    );
  }
  return { prefix: `v${version}:`, key: createSecretKey(bytes) };
}

function hmac({ prefix, key }: PepperKey, text: string): string {
  return prefix + createHmac("sha256", key).update(text, "utf8").digest("hex");
}
