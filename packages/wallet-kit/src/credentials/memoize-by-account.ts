import { createHash } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import { memoizeByObject } from "./memoize-by-object.js";

type Credentials = WalletAccount["credentials"];

/**
 * Caches the result of `read` per set of credentials, because parsing a key is expensive.
 *
 * The cache holds the `size` most recently used results, by the SHA-256 digest of the credentials.
 * Replaced credentials are read again. The cache does not keep the texts. It computes the digest
 * once per object, so callers must not modify a credentials object.
 */
export function memoizeByAccount<T>(
  read: (credentials: Credentials) => T,
  size: number,
): (account: Pick<WalletAccount, "credentials">) => T {
  const stored = new Map<string, { readonly result: T }>();
  const nameOf = memoizeByObject(digestOf);
  let newest: string | undefined;
  return ({ credentials }) => {
    const name = nameOf(credentials);
    const entry = stored.get(name) ?? { result: read(credentials) };
    // Moving an entry costs more than finding it, and in a burst most calls are for one account.
    if (name === newest) return entry.result;
    newest = name;
    // A map keeps the insertion order, so the first entry is the least recently used one.
    stored.delete(name);
    stored.set(name, entry);
    const [oldest] = stored.keys();
    if (stored.size > size && oldest !== undefined) stored.delete(oldest);
    return entry.result;
  };
}

function digestOf(credentials: Credentials): string {
  const entries = Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64");
}
