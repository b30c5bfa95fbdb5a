import type { PaySource, Prepayment, WalletAccount, WalletFailure } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { classifyResult, refusedOutcome, unknownOutcome } from "../gateway/classify-result.js";
import { orderRequest } from "./biz-content.js";

/** Validity of a payment code, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;

/** The response and the validity for each `paySource` that needs a call. */
const PREPARED = {
  // A payment code is valid for a limited time.
  NATIVE: { values: z.object({ qr_code: z.string().min(1) }), lifetime: CODE_LIFETIME },
  // A trade can be opened until the order expires.
  JSAPI: { values: z.object({ trade_no: z.string().min(1) }), lifetime: Infinity },
} as const;

function isPrepared(paySource: PaySource): paySource is keyof typeof PREPARED {
  return Object.hasOwn(PREPARED, paySource);
}

/**
 * Returns the prepayment of an order that needs no call, or `undefined` for NATIVE and JSAPI.
 *
 * For APP, H5 and PC the customer's device sends the order to Alipay.
 */
export function localPrepayment(
  { paySource, expiresAt }: Pick<PaymentRequest, "paySource" | "expiresAt">,
  now: number,
): Prepayment | undefined {
  return isPrepared(paySource) ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };
}

/**
 * Prepares a payment at Alipay.
 *
 * Sends nothing if the order has expired or cannot be prepared.
 */
export function prepareOrder(
  call: CallGateway,
  account: WalletAccount,
  credentials: AlipayCredentials,
  request: PaymentRequest,
  issuedAt: number,
): ResultAsync<Prepayment, WalletFailure> {
  const { paySource, payerId, expiresAt } = request;
  if (expiresAt <= issuedAt) return failed(refusedOutcome("closed", "the order has expired"));
  if (!isPrepared(paySource))
    return failed(refusedOutcome("other", "this paySource needs no call; nothing was sent"));
  if (paySource === "JSAPI" && payerId === undefined)
    return failed(refusedOutcome("configuration", "JSAPI needs payerId; nothing was sent"));
  const { values, lifetime } = PREPARED[paySource];
  return call(orderRequest(request, account, credentials))
    .andThen(classifyResult)
    .andThen((answer) => {
      const read = values.safeParse(answer).data;
      return read === undefined
        ? unknownOutcome("server-error", `the response has no ${Object.keys(values.shape).join()}`)
        : ok({ issuedAt, validUntil: Math.min(issuedAt + lifetime, expiresAt), values: read });
    });
}

function failed<T>(failure: Result<T, WalletFailure>): ResultAsync<T, WalletFailure> {
  return new ResultAsync(Promise.resolve(failure));
}
