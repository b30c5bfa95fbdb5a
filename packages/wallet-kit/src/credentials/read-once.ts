import { createHash } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";

type Credentials = WalletAccount["credentials"];

/**
 * Reads an account's credentials with `read`, once for as long as they stay as they are: parsing a key costs more than twice a signature. What
 * `size` accounts use is held, those used last, under the SHA-256 of their texts: replaced keys are read anew, and the texts are not kept. Of an
 * object that comes again, as that of a recalled account does, not even the digest is made again: credentials are not changed in place.
 */
export function readOnce<T>(
  read: (credentials: Credentials) => T,
  size: number,
): (account: Pick<WalletAccount, "credentials">) => T {
  const held = new Map<string, { readonly result: T }>();
  const names = new WeakMap<Credentials, string>();
  return ({ credentials }) => {
    const name = names.get(credentials) ?? digestOf(credentials);
    names.set(credentials, name);
    const entry = held.get(name) ?? { result: read(credentials) };
    // A map keeps the order of insertion: the first is the one not used for longest.
    held.delete(name);
    held.set(name, entry);
    const [oldest] = held.keys();
    if (held.size > size && oldest !== undefined) held.delete(oldest);
    return entry.result;
  };
}

function digestOf(credentials: Credentials): string {
  const entries = Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64");
}
