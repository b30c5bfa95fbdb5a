import type { WalletAccount } from "@tillkit/core";
import { memoizeByAccount } from "@tillkit/wallet-kit";
import type { Result } from "neverthrow";
import type { WechatPayCredentialProblem } from "./credential-problem.js";
import { parseWechatPayCredentials, type WechatPayCredentials } from "./parse-credentials.js";

/** Parses the credentials of an account, or returns the cached result. */
export type ReadCredentials = (
  account: Pick<WalletAccount, "credentials">,
) => Result<WechatPayCredentials, readonly WechatPayCredentialProblem[]>;

/** Creates a cache of parsed credentials for the `size` most recently used accounts. */
export function credentialsCache(size: number): ReadCredentials {
  return memoizeByAccount(parseWechatPayCredentials, size);
}
