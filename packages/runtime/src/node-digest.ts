import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { Digest } from "@tillkit/core";

const SHORTEST_KEY = 32;

/** A key of keyed digests. It is kept apart from the database, so that a stolen database gives no phone number away. */
export interface Pepper {
  /** Written before every digest made with the key; never reused for another key. */
  readonly version: number;
  /** At least 32 bytes; a text counts by its UTF-8 bytes. Make one with `openssl rand -base64 32`. */
  readonly key: string | Uint8Array;
}

/** What `nodeDigest` needs. */
export interface NodeDigestOptions {
  /** The current pepper first, then every older one that stored values may still be under. At least one. */
  readonly peppers: readonly Pepper[];
}

/**
 * Digests by `node:crypto`. Throws when there is no pepper, when a key is shorter than 32 bytes, or when a version is no positive integer or is
 * there twice: a host should not start so. The message names the version and never the key.
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
