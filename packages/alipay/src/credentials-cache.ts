import { createHash } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import type { Result } from "neverthrow";
import type { AlipayCredentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./credentials.js";

/** The credentials of an account, ready for use. */
export type ReadCredentials = (
  account: Pick<WalletAccount, "credentials">,
) => Result<AlipayCredentials, readonly AlipayCredentialProblem[]>;

/**
 * Reads credentials once: parsing keys costs more than twice what a signature does. It holds what `max` accounts use, those used last,
 * under a digest of the texts, so that replaced keys are read anew and the texts are not kept.
 */
export function credentialsCache(max: number): ReadCredentials {
  const held = new Map<string, ReturnType<ReadCredentials>>();
  return ({ credentials }) => {
    const key = createHash("sha256")
      .update(JSON.stringify(Object.entries(credentials).sort()))
      .digest("base64");
    const result = held.get(key) ?? parseAlipayCredentials(credentials);
    // A map keeps the order of insertion: the first is the one not used for longest.
    held.delete(key);
    held.set(key, result);
    const [oldest] = held.keys();
    if (held.size > max && oldest !== undefined) held.delete(oldest);
    return result;
  };
}
