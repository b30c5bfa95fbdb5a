import type { KeyObject } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { readJson } from "../shared/json.js";
import { privateKeyOf, publicKeyOf } from "../shared/rsa.js";

/** What a merchant of WALLET_A holds, ready for use. */
export interface WalletAKeys {
  readonly merchantKey: KeyObject;
  /** 32 ASCII characters. */
  readonly apiV3Key: string;
  /** The wallet's public keys by serial number. */
  readonly walletKeys: ReadonlyMap<string, KeyObject>;
}

const serials = z.record(z.string(), z.string());

/** The names of an account's credentials at WALLET_A. `platformKeys` is JSON text: serial number to PEM. */
export interface WalletACredentials extends Readonly<Record<string, string>> {
  readonly merchantPrivateKey: string;
  readonly apiV3Key: string;
  readonly merchantSerialNo: string;
  readonly platformKeys: string;
}

/** Reads the credentials of an account, or says in words for an operator what is wrong with them. */
export function readWalletAKeys({ credentials }: WalletAccount): Result<WalletAKeys, readonly string[]> {
  const merchantKey = privateKeyOf(credentials["merchantPrivateKey"] ?? "");
  const apiV3Key = credentials["apiV3Key"] ?? "";
  const pems = Object.entries(readJson(serials, credentials["platformKeys"] ?? "") ?? {});
  const walletKeys = new Map(
    pems.flatMap(([serial, pem]) => {
      const key = publicKeyOf(pem);
      return key === undefined ? [] : [[serial, key] as const];
    }),
  );
  const problems = [
    merchantKey === undefined
      ? ["merchantPrivateKey is not the PEM text of an RSA key of 2048 bits or more"]
      : [],
    /^[\x21-\x7e]{32}$/.test(apiV3Key) ? [] : ["apiV3Key is not 32 visible ASCII characters"],
    walletKeys.size === 0 ? ["platformKeys is not a JSON object of serial numbers and PEM texts"] : [],
    walletKeys.size < pems.length
      ? ["platformKeys holds a text that is no RSA key of 2048 bits or more"]
      : [],
  ].flat();
  return merchantKey === undefined || problems.length > 0
    ? err(problems)
    : ok({ merchantKey, apiV3Key, walletKeys });
}
