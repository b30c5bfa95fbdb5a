import type { PaymentRequest, PaySource, Prepayment, WalletAccount, WalletFailure } from "@tillkit/core";
import { ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import type { Conversation } from "../gateway/call-api.js";
import { classifyAnswer, rejected, unknown } from "../gateway/classify-answer.js";
import { orderAsk } from "./order-content.js";

/** How long a code that is scanned stays good, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;

/** What the wallet answers for a payment that must be prepared there. */
const PREPARED = {
  // The code can be scanned for a time only.
  NATIVE: { values: z.object({ qr_code: z.string().min(1) }), lifetime: CODE_LIFETIME },
  // The trade can be opened until the order expires.
  JSAPI: { values: z.object({ trade_no: z.string().min(1) }), lifetime: Infinity },
} as const;

function isPrepared(paySource: PaySource): paySource is keyof typeof PREPARED {
  return Object.hasOwn(PREPARED, paySource);
}

/** In an app and in a browser the customer brings the order to the wallet, so that no call is needed before. */
export function localPrepayment(
  { paySource, expiresAt }: PaymentRequest,
  now: number,
): Prepayment | undefined {
  return isPrepared(paySource) ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };
}

/** Asks the wallet to prepare a payment. Sends nothing if the order has expired or cannot be prepared. */
export function prepareOrder(
  ask: Conversation,
  account: WalletAccount,
  request: PaymentRequest,
  issuedAt: number,
): ResultAsync<Prepayment, WalletFailure> {
  const { paySource, payerId, expiresAt } = request;
  if (expiresAt <= issuedAt) return failed(rejected("closed", "the time to pay the order is over"));
  if (!isPrepared(paySource)) return failed(rejected("other", "nothing is to be prepared; nothing was sent"));
  if (paySource === "JSAPI" && payerId === undefined)
    return failed(rejected("configuration", "JSAPI needs payerId; nothing was sent"));
  const { values, lifetime } = PREPARED[paySource];
  return ask(orderAsk(request, account))
    .andThen(classifyAnswer)
    .andThen((answer) => {
      const read = values.safeParse(answer).data;
      return read === undefined
        ? unknown("server-error", `the answer has no ${Object.keys(values.shape).join()}`)
        : ok({ issuedAt, validUntil: Math.min(issuedAt + lifetime, expiresAt), values: read });
    });
}

function failed<T>(failure: Result<T, WalletFailure>): ResultAsync<T, WalletFailure> {
  return new ResultAsync(Promise.resolve(failure));
}
