import { err, ok, type Result } from "neverthrow";
import type { Ledger } from "../ledger.js";
import type { LedgerPrepayment, PlayedSource, Terms } from "../ledger-order.js";
import { sha256 } from "../shared/sha256.js";
import { argument, business, ORDER_CODES, type WalletBRefusal } from "./answers.js";
import { readTrade } from "./biz-content.js";
import { type KnownApp, verifyRequest } from "./request.js";
import type { Parameters } from "./sign.js";

/** What the app signed without asking WALLET_B, by the method it signed for. */
export const SIGNED_METHODS = { APP: "alipay.trade.app.pay", H5: "alipay.trade.wap.pay" } as const;

/** Everything the cashier looks at before a trade can begin, in one step. */
export interface TakeUpOptions {
  readonly ledger: Ledger;
  readonly app: KnownApp;
  readonly clock: { now(): number };
}

/** Proves what the app signed and gives its terms. Nothing is taken up yet. */
export function readSigned(
  { app, clock }: Pick<TakeUpOptions, "app" | "clock">,
  paySource: keyof typeof SIGNED_METHODS & PlayedSource,
  parameters: Parameters,
): Result<Terms, WalletBRefusal> {
  if (parameters["method"] !== SIGNED_METHODS[paySource]) return err(argument("invalid", "method"));
  return verifyRequest(parameters, app).andThen(() => readTrade(paySource, parameters, app, clock.now()));
}

/** Takes up what the app signed, now that a customer has come with it: from here on the terms count. */
export function takeUp(
  options: TakeUpOptions,
  paySource: keyof typeof SIGNED_METHODS & PlayedSource,
  parameters: Parameters,
): Result<string, WalletBRefusal> {
  const { ledger, clock } = options;
  return readSigned(options, paySource, parameters).andThen((terms) =>
    ledger
      .takeUp(terms, signedPrepayment(terms, clock.now()))
      .map(() => terms.outTradeNo)
      .orElse((reason) =>
        // Who comes again after paying is shown what they paid.
        reason === "paid" ? ok(terms.outTradeNo) : err(business(ORDER_CODES[reason])),
      ),
  );
}

/** What the books note of terms that the app signed alone; the same terms are the same prepayment. */
export function signedPrepayment(terms: Terms, now: number): LedgerPrepayment {
  return {
    token: sha256(terms.frozen).slice(0, 32),
    issuedAt: now,
    validUntil: terms.expiresAt,
    heard: true,
  };
}
