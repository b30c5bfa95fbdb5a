import type { WalletAccount } from "@tillkit/core";
import { readOnce } from "@tillkit/wallet-kit";
import type { Result } from "neverthrow";
import type { AlipayCredentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";

/** The credentials of an account, ready for use. */
export type ReadCredentials = (
  account: Pick<WalletAccount, "credentials">,
) => Result<AlipayCredentials, readonly AlipayCredentialProblem[]>;

/** Reads credentials, and holds those of the `max` accounts used last. */
export function credentialsCache(max: number): ReadCredentials {
  return readOnce(parseAlipayCredentials, max);
}
