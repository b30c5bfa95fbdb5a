import { err, ok, type Result } from "neverthrow";
import type { Ledger } from "../ledger.js";
import type { LedgerPrepayment, Terms } from "../ledger-order.js";
import { sha256 } from "../shared/sha256.js";
import { argument, business, ORDER_CODES, type WalletBRefusal } from "./answers.js";
import { readTrade } from "./biz-content.js";
import { appFor, type KnownApp, SIGNED_AGE, verifyRequest } from "./request.js";
import type { SignedParameters } from "./sign.js";

/** The methods that an app signs without a call to Alipay, by way to pay. */
export const SIGNED_METHODS = {
  APP: "alipay.trade.app.pay",
  H5: "alipay.trade.wap.pay",
  PC: "alipay.trade.page.pay",
} as const;
/** A way to pay that starts with a locally signed payload. */
export type SignedMethod = keyof typeof SIGNED_METHODS;

/** The dependencies of accepting a locally signed payload. */
export interface AcceptPayloadOptions {
  readonly ledger: Ledger;
  readonly app: KnownApp;
  readonly clock: { now(): number };
}

/** Verifies a locally signed payload and returns its terms. Stores nothing. */
export function readSigned(
  { app, clock }: Pick<AcceptPayloadOptions, "app" | "clock">,
  paySource: SignedMethod,
  parameters: SignedParameters,
): Result<Terms, WalletBRefusal> {
  if (parameters["method"] !== SIGNED_METHODS[paySource]) return err(argument("invalid", "method"));
  return verifyRequest(parameters, app, { now: clock.now(), longestAgo: SIGNED_AGE }).andThen(() =>
    appFor(app, parameters).andThen((seller) => readTrade(paySource, parameters, seller, clock.now())),
  );
}

/**
 * Verifies a locally signed payload, stores its order and returns the `outTradeNo`.
 *
 * From then on the terms of the payload are those of the order.
 */
export function acceptPayload(
  options: AcceptPayloadOptions,
  paySource: SignedMethod,
  parameters: SignedParameters,
): Result<string, WalletBRefusal> {
  const { ledger, clock } = options;
  return readSigned(options, paySource, parameters).andThen((terms) =>
    ledger
      .acceptPayload(terms, signedPrepayment(terms, clock.now()))
      .map(() => terms.outTradeNo)
      .orElse((reason) =>
        // A customer who opens the payload again after paying sees the paid order.
        reason === "paid" ? ok(terms.outTradeNo) : err(business(ORDER_CODES[reason])),
      ),
  );
}

/** Returns the prepayment of a locally signed payload. Equal terms give the same token. */
export function signedPrepayment(terms: Terms, now: number): LedgerPrepayment {
  return {
    token: sha256(terms.frozen).slice(0, 32),
    issuedAt: now,
    validUntil: terms.expiresAt,
    heard: true,
  };
}
