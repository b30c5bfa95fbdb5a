import { createHash } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import type { Result } from "neverthrow";
import {
  type WechatPayCredentialProblem,
  parseWechatPayCredentials,
  type WechatPayCredentials,
} from "./parse-credentials.js";

/** Reads the credentials of an account, once for as long as they stay as they are. */
export type ReadCredentials = (
  account: Pick<WalletAccount, "credentials">,
) => Result<WechatPayCredentials, readonly WechatPayCredentialProblem[]>;

/**
 * Credentials that were read, by the SHA-256 of their texts: parsing a key costs more than twice a signature. It holds `size` accounts, and forgets the one
 * that was not used for longest; new credentials are another entry, so that a rotation shows at once.
 */
export function credentialsCache(size: number): ReadCredentials {
  const held = new Map<string, ReturnType<ReadCredentials>>();
  return ({ credentials }) => {
    const name = digestOf(credentials);
    const read = held.get(name) ?? parseWechatPayCredentials(credentials);
    held.delete(name);
    held.set(name, read);
    const [oldest] = held.keys();
    if (held.size > size && oldest !== undefined) held.delete(oldest);
    return read;
  };
}

function digestOf(credentials: Readonly<Record<string, string>>): string {
  const entries = Object.keys(credentials)
    .sort()
    .map((name) => [name, credentials[name]]);
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64");
}
