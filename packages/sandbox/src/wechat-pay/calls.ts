import { err, ok, type Result } from "neverthrow";
import type { Ledger, OrderRefusal } from "../ledger.js";
import type { LedgerOrder, LedgerRefund, Terms } from "../ledger-order.js";
import type { RefundCourse } from "../ledger-refunds.js";
import type { WalletAMerchant } from "../merchant.js";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { canonicalWithout } from "../wire/canonical.js";
import type { WalletAAnswer, WalletACode, WalletADetail, WalletARefusal } from "./answers.js";
import { closeBody, PREPAY_BODIES, readBody } from "./request-schemas.js";
import { transactionText } from "./trade-json.js";
import { LIFETIMES, prepaymentValues, type WalletAMethod } from "./prepayment.js";

/** The dependencies of WeChat Pay's calls. */
export interface WalletACallsOptions {
  readonly ledger: Ledger;
  readonly merchant: WalletAMerchant;
  readonly clock: { now(): number };
  /** Returns the course of a refund that is accepted at `at` (epoch milliseconds). */
  courseOf(at: number): RefundCourse;
  /** Returns whether an order may have only one refund call per minute. */
  oneRefundAMinute(): boolean;
  /** Returns whether a refund must name the account AVAILABLE, because the money is unsettled. */
  isUnsettled(): boolean;
  /** Called for each accepted refund, and for each abnormal refund that continues. */
  refunded(order: LedgerOrder, refund: LedgerRefund): void;
}

/** The outcome of a call. */
export type Answered = Result<WalletAAnswer, WalletARefusal>;

/**
 * The calls of WeChat Pay for an authorized merchant.
 *
 * `delivered` is false if the response will not arrive.
 */
export interface WalletACalls {
  prepay(paySource: WalletAMethod, bytes: Uint8Array, delivered: boolean): Answered;
  query(outTradeNo: string, mchid: string | null): Answered;
  /** Like `query`, by the wallet's own number, which the merchant learns with the payment. */
  queryById(transactionId: string, mchid: string | null): Answered;
  close(outTradeNo: string, bytes: Uint8Array): Answered;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** How long an order without `time_expire` can be paid, and the limits of `time_expire`. */
const TO_PAY = { unset: 7 * DAY, most: 90 * DAY, least: MINUTE } as const;

/** WeChat Pay's code for each refusal of the ledger. */
const CODES = {
  foreign: "OUT_TRADE_NO_USED",
  conflict: "OUT_TRADE_NO_USED",
  paid: "ORDERPAID",
  closed: "ORDER_CLOSED",
  expired: "ORDER_CLOSED",
} as const satisfies Record<OrderRefusal, WalletACode>;
/** Opens the calls over a ledger. */
export function walletACalls(options: WalletACallsOptions): WalletACalls {
  const { ledger, merchant, clock } = options;
  const { mchid } = merchant;
  const isOurs = (named: string | null, location: WalletADetail["location"]): Result<void, WalletARefusal> =>
    named === mchid
      ? ok(undefined)
      : err({
          code: "PARAM_ERROR",
          detail: { field: "/mchid", issue: "not the merchant who signed", location },
        });
  const found = (outTradeNo: string): Result<LedgerOrder, WalletARefusal> => {
    const order = ledger.findFor(mchid, outTradeNo);
    return order === undefined ? err({ code: "ORDER_NOT_EXIST" }) : ok(order);
  };
  const query = (outTradeNo: string, named: string | null): Answered =>
    isOurs(named, "query")
      .andThen(() => found(outTradeNo))
      .map((order) => answered(transactionText(order, clock.now())));

  return {
    prepay: (paySource, bytes, delivered) =>
      readBody(PREPAY_BODIES[paySource], bytes).andThen(({ body, sent }): Answered => {
        if (body.appid !== merchant.appid) return err({ code: "APPID_MCHID_NOT_MATCH" });
        const now = clock.now();
        const terms: Terms = {
          merchantId: mchid,
          walletAppId: body.appid,
          outTradeNo: body.out_trade_no,
          amount: body.amount.total,
          goodsTitle: body.description,
          paySource,
          payerId: body.payer?.openid ?? "",
          notifyUrl: body.notify_url,
          expiresAt: expiry(body.time_expire, now),
          // A repeated request may have another address of the payer.
          frozen: canonicalWithout(sent, "scene_info"),
          echoed: body.attach === undefined ? {} : { attach: body.attach },
        };
        return isOurs(body.mchid, "body").andThen(() =>
          ledger
            .prepay(terms, Math.min(now + LIFETIMES[paySource], terms.expiresAt), delivered)
            .map(({ token }) => answered(JSON.stringify(prepaymentValues(paySource, token))))
            .mapErr((reason): WalletARefusal => ({ code: CODES[reason] })),
        );
      }),
    query,
    queryById: (transactionId, named) => query(ledger.numberOf(transactionId) ?? "", named),
    close: (outTradeNo, bytes) =>
      readBody(closeBody, bytes)
        .andThen(({ body }) => isOurs(body.mchid, "body"))
        .andThen((): Answered => {
          const outcome = ledger.close(mchid, outTradeNo);
          if (outcome === "absent") return err({ code: "ORDER_NOT_EXIST" });
          return outcome === "paid" ? err({ code: "ORDERPAID" }) : ok({ status: 204, body: "" });
        }),
  };
}

function expiry(stated: string | undefined, now: number): number {
  const instant = stated === undefined ? undefined : instantOfRfc3339(stated);
  if (instant === undefined) return now + TO_PAY.unset;
  return Math.min(Math.max(instant, now + TO_PAY.least), now + TO_PAY.most);
}

function answered(body: string): WalletAAnswer {
  return { status: 200, body };
}
