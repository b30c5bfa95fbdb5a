import type { WalletAccount } from "@tillkit/core";
import { instantOfBeijingTime, providerOf } from "@tillkit/wallet-kit";
import { err, ok, Result } from "neverthrow";
import { type ProductCodes, readProductCodes } from "../product-codes.js";
import { type AlipayCredentialProblem, credentialProblem } from "./credential-problem.js";

/** The settings of a merchant whose service provider signs for it. */
export interface SubMerchantCredentials {
  /** The merchant's authorisation of the provider. */
  readonly appAuthToken: string;
  /** Epoch milliseconds. Absent if the authorisation has no known end. */
  readonly appAuthTokenEndsAt?: number;
  readonly productCodes: ProductCodes;
}

/** Returns the account whose keys sign: the service provider's, or the merchant's own. */
export function signingAccount(account: WalletAccount): WalletAccount {
  return providerOf(account) ?? account;
}

/** Parses the `credentials` of a merchant with a service provider. */
export function parseSubMerchant(
  credentials: WalletAccount["credentials"],
): Result<SubMerchantCredentials, readonly AlipayCredentialProblem[]> {
  const { provider: _provider, appAuthToken, appAuthTokenExpiry, productCodes, ...others } = credentials;
  return Result.combineWithAllErrors([
    tokenOf(appAuthToken),
    expiryOf(appAuthTokenExpiry),
    readProductCodes({ productCodes }),
    Object.keys(others).length === 0
      ? ok(undefined)
      : err(credentialProblem("credentials", "provider-and-keys")),
  ]).map(([token, endsAt, codes]) => ({
    appAuthToken: token,
    ...(endsAt === undefined ? {} : { appAuthTokenEndsAt: endsAt }),
    productCodes: codes,
  }));
}

function tokenOf(text: string | undefined): Result<string, AlipayCredentialProblem> {
  if (text === undefined) return err(credentialProblem("appAuthToken", "missing"));
  return /^[0-9A-Za-z]{1,64}$/.test(text) ? ok(text) : err(credentialProblem("appAuthToken", "malformed"));
}

function expiryOf(day: string | undefined): Result<number | undefined, AlipayCredentialProblem> {
  if (day === undefined) return ok(undefined);
  const endsAt = instantOfBeijingTime(`${day} 00:00:00`);
  return endsAt === undefined ? err(credentialProblem("appAuthTokenExpiry", "malformed")) : ok(endsAt);
}
