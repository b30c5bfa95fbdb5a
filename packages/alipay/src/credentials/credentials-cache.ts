import type { WalletAccount } from "@tillkit/core";
import { memoizeByAccount } from "@tillkit/wallet-kit";
import type { Result } from "neverthrow";
import type { AlipayCredentialProblem } from "./credential-problem.js";
import { type AlipayCredentials, parseAlipayCredentials } from "./parse-credentials.js";

/** Parses the credentials of an account, or returns the cached result. */
export type ReadCredentials = (
  account: Pick<WalletAccount, "credentials">,
) => Result<AlipayCredentials, readonly AlipayCredentialProblem[]>;

/** Creates a cache of parsed credentials for the `size` most recently used accounts. */
export function credentialsCache(size: number): ReadCredentials {
  return memoizeByAccount(parseAlipayCredentials, size);
}
