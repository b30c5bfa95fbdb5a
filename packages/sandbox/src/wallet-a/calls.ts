import { err, ok, type Result } from "neverthrow";
import type { Ledger, OrderRefusal, RefundRefusal } from "../ledger.js";
import type { LedgerOrder, LedgerRefund, PlayedSource, Terms } from "../ledger-order.js";
import type { WalletAMerchant } from "../merchant.js";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { canonicalWithout } from "../wire/canonical.js";
import type { WalletAAnswer, WalletACode, WalletADetail, WalletARefusal } from "./answers.js";
import { closeBody, PREPAY_BODIES, readBody, refundBody } from "./bodies.js";
import { refundStatusText, transactionText } from "./facts.js";
import { LIFETIMES, prepaymentValues } from "./prepayment.js";

/** What the calls of WALLET_A work on. */
export interface WalletACallsOptions {
  readonly ledger: Ledger;
  readonly merchant: WalletAMerchant;
  readonly clock: { now(): number };
  /** How long a refund is being processed, in milliseconds. */
  readonly refundTakes: number;
  /** Hears of each refund once. */
  refunded(order: LedgerOrder, refund: LedgerRefund): void;
}

type Answered = Result<WalletAAnswer, WalletARefusal>;

/** The calls of WALLET_A for a merchant who has proved who they are. `heard` is false when the answer will not arrive. */
export interface WalletACalls {
  prepay(paySource: PlayedSource, bytes: Uint8Array, heard: boolean): Answered;
  query(outTradeNo: string, mchid: string | null): Answered;
  close(outTradeNo: string, bytes: Uint8Array): Answered;
  refund(bytes: Uint8Array): Answered;
  queryRefund(refundNo: string): Answered;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/** How long an order without `time_expire` can be paid, and how far it may be put at most and at least. */
const TO_PAY = { unset: 7 * DAY, most: 90 * DAY, least: MINUTE } as const;

/** Every refusal of the books in WALLET_A's codes. */
const CODES = {
  foreign: "OUT_TRADE_NO_USED",
  conflict: "OUT_TRADE_NO_USED",
  paid: "ORDERPAID",
  closed: "ORDER_CLOSED",
  expired: "ORDER_CLOSED",
} as const satisfies Record<OrderRefusal, WalletACode>;
const REFUND_CODES = {
  absent: "RESOURCE_NOT_EXISTS",
  "not-paid": "INVALID_REQUEST",
  "other-total": "INVALID_REQUEST",
  exceeds: "NOT_ENOUGH",
  conflict: "INVALID_REQUEST",
} as const satisfies Record<RefundRefusal, WalletACode>;

/** Opens the calls on the books. */
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
  const refundAnswer = (order: LedgerOrder, refund: LedgerRefund) =>
    answered(refundStatusText(order, refund, clock.now() >= refund.at + options.refundTakes));

  return {
    prepay: (paySource, bytes, heard) =>
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
          notifyUrl: body.notify_url,
          expiresAt: expiry(body.time_expire, now),
          // A repetition may come from another address of the payer.
          frozen: canonicalWithout(sent, "scene_info"),
          echoed: body.attach === undefined ? {} : { attach: body.attach },
        };
        return isOurs(body.mchid, "body").andThen(() =>
          ledger
            .prepay(terms, Math.min(now + LIFETIMES[paySource], terms.expiresAt), heard)
            .map(({ token }) => answered(JSON.stringify(prepaymentValues(paySource, token))))
            .mapErr((reason): WalletARefusal => ({ code: CODES[reason] })),
        );
      }),
    query: (outTradeNo, named) =>
      isOurs(named, "query")
        .andThen(() => found(outTradeNo))
        .map((order) => answered(transactionText(order))),
    close: (outTradeNo, bytes) =>
      readBody(closeBody, bytes)
        .andThen(({ body }) => isOurs(body.mchid, "body"))
        .andThen((): Answered => {
          const outcome = ledger.close(mchid, outTradeNo);
          if (outcome === "absent") return err({ code: "ORDER_NOT_EXIST" });
          return outcome === "paid" ? err({ code: "ORDERPAID" }) : ok({ status: 204, body: "" });
        }),
    refund: (bytes) =>
      readBody(refundBody, bytes).andThen(({ body }): Answered => {
        const outTradeNo = body.out_trade_no ?? ledger.numberOf(body.transaction_id ?? "") ?? "";
        const { refund: amount, total: orderAmount } = body.amount;
        const notifyUrl = body.notify_url ?? "";
        const known = ledger.findRefund(mchid, body.out_refund_no);
        if (known !== undefined && known.order.terms.outTradeNo !== outTradeNo)
          return err({ code: REFUND_CODES.conflict });
        return ledger
          .refund(mchid, { outTradeNo, refundNo: body.out_refund_no, amount, orderAmount, notifyUrl })
          .map(({ order, refund, fresh }) => {
            if (fresh) options.refunded(order, refund);
            return refundAnswer(order, refund);
          })
          .mapErr((reason): WalletARefusal => ({ code: REFUND_CODES[reason] }));
      }),
    queryRefund: (refundNo) => {
      const known = ledger.findRefund(mchid, refundNo);
      return known === undefined
        ? err({ code: "RESOURCE_NOT_EXISTS" })
        : ok(refundAnswer(known.order, known.refund));
    },
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
