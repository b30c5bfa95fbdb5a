import type { WalletAccount } from "@tillkit/core";
import { readOnce } from "@tillkit/wallet-kit";
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

/** Reads credentials, and holds those of the `size` accounts used last. */
export function credentialsCache(size: number): ReadCredentials {
  return readOnce(parseWechatPayCredentials, size);
}
