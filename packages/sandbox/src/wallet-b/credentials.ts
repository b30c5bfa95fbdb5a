import type { KeyObject } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { belongTogether, privateKeyOf, publicKeyOf } from "../shared/rsa.js";

/** What an app at WALLET_B holds, ready for use. */
export interface WalletBKeys {
  readonly appKey: KeyObject;
  readonly walletKey: KeyObject;
}

/** The names of an account's credentials at WALLET_B: PEM texts. */
export interface WalletBCredentials extends Readonly<Record<string, string>> {
  readonly appPrivateKey: string;
  readonly alipayPublicKey: string;
}

/** Reads the credentials of an account, or says in words for an operator what is wrong with them. */
export function readWalletBKeys({ credentials }: WalletAccount): Result<WalletBKeys, readonly string[]> {
  const appKey = privateKeyOf(credentials["appPrivateKey"] ?? "");
  const walletKey = publicKeyOf(credentials["alipayPublicKey"] ?? "");
  if (appKey === undefined || walletKey === undefined) {
    return err([
      ...(appKey === undefined
        ? ["appPrivateKey is not the PEM text of an RSA key of 2048 bits or more"]
        : []),
      ...(walletKey === undefined
        ? ["alipayPublicKey is not the PEM text of an RSA key of 2048 bits or more"]
        : []),
    ]);
  }
  // The usual mistake: the console shows both, and only the wallet's proves anything.
  if (belongTogether(appKey, walletKey))
    return err(["alipayPublicKey is the app's own public key, not the wallet's"]);
  return ok({ appKey, walletKey });
}
