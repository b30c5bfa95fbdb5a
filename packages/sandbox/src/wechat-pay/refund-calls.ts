import { err, ok, type Result } from "neverthrow";
import { refundState } from "../ledger-order.js";
import type { KnownRefund, RefundRefusal } from "../ledger-refunds.js";
import type { WalletAAnswer, WalletACode, WalletADetail, WalletARefusal } from "./answers.js";
import { abnormalRefundBody, readBody, refundBody } from "./request-schemas.js";
import { type Answered, subMerchantOf, type WalletACallsOptions } from "./calls.js";
import { refundStatusText } from "./trade-json.js";
import { decrypted, type Decryption } from "./sensitive.js";

/** The refund calls of WeChat Pay. */
export interface WalletARefundCalls {
  refund(bytes: Uint8Array): Answered;
  queryRefund(refundNo: string, subMchid: string | null): Answered;
  /** Redirects the money of an abnormal refund. `serial` is the header `Wechatpay-Serial`. */
  applyAbnormal(walletRefundNo: string, bytes: Uint8Array, serial: string | null): Answered;
}

/** The dependencies of the refund calls: those of the other calls, and the decryption keys. */
export interface WalletARefundCallsOptions extends WalletACallsOptions, Decryption {}

const MINUTE = 60_000;

const REFUND_CODES = {
  absent: "RESOURCE_NOT_EXISTS",
  "not-paid": "INVALID_REQUEST",
  "other-total": "INVALID_REQUEST",
  exceeds: "INVALID_REQUEST",
  conflict: "INVALID_REQUEST",
  "too-many": "INVALID_REQUEST",
  "too-old": "INVALID_REQUEST",
  "no-funds": "NOT_ENOUGH",
} as const satisfies Record<RefundRefusal, WalletACode>;

/** Opens the refund calls over a ledger. */
export function walletARefundCalls(options: WalletARefundCallsOptions): WalletARefundCalls {
  const { ledger, merchant, clock } = options;
  const { mchid } = merchant;
  const lastCalls = new Map<string, number>();

  const answered = ({ order, refund }: KnownRefund): WalletAAnswer => ({
    status: 200,
    body: refundStatusText(order, refund, refundState(refund, clock.now())),
  });

  const ownerOf = (subMchid: string | null | undefined) =>
    subMchid === undefined || subMchid === null ? ok(mchid) : subMerchantOf(subMchid);

  /**
   * Returns the owner's refund with this number. `calls` is the member that must have the number.
   */
  function known(
    owner: string,
    number: string,
    calls: "refundNo" | "walletRefundNo",
  ): KnownRefund | undefined {
    const found = ledger.findRefund(number);
    return found?.order.terms.merchantId === owner && found.refund[calls] === number ? found : undefined;
  }

  /**
   * Records a refund call, and returns whether the rule `oneAMinute` refuses it.
   *
   * The previous call of the order counts even if it was refused.
   */
  function isTooSoon(outTradeNo: string): boolean {
    const [now, last] = [clock.now(), lastCalls.get(outTradeNo)];
    lastCalls.set(outTradeNo, now);
    return options.oneRefundAMinute() && last !== undefined && now - last < MINUTE;
  }

  return {
    refund: (bytes) =>
      readBody(refundBody, bytes).andThen(({ body }) =>
        ownerOf(body.sub_mchid).andThen((owner): Answered => {
          const outTradeNo = body.out_trade_no ?? ledger.numberOf(body.transaction_id ?? "") ?? "";
          const { refund: amount, total: orderAmount } = body.amount;
          const { out_refund_no: refundNo, notify_url: notifyUrl = "" } = body;
          if (isTooSoon(outTradeNo)) return err({ code: "FREQUENCY_LIMITED" });
          const before = known(owner, refundNo, "refundNo");
          if (before !== undefined && before.order.terms.outTradeNo !== outTradeNo)
            return err({ code: REFUND_CODES.conflict });
          const from = body.amount.from ?? [];
          const named = from.reduce((sum, account) => sum + account.amount, 0);
          if (from.length > 0 && named !== amount)
            return unfit("/amount/from", "the amounts do not add up to the refund", "body");
          const isNamed =
            body.funds_account === "AVAILABLE" || from.some(({ account }) => account === "AVAILABLE");
          if (before === undefined && options.isUnsettled() && !isNamed) return err({ code: "NOT_ENOUGH" });
          return ledger
            .refund(
              owner,
              { outTradeNo, refundNo, amount, orderAmount, notifyUrl },
              options.courseOf(clock.now()),
            )
            .map((made) => {
              if (made.fresh) options.refunded(made.order, made.refund);
              return answered(made);
            })
            .mapErr((reason): WalletARefusal => ({ code: REFUND_CODES[reason] }));
        }),
      ),
    queryRefund: (refundNo, subMchid) =>
      ownerOf(subMchid).andThen((owner): Answered => {
        const found = known(owner, refundNo, "refundNo");
        return found === undefined ? err({ code: "RESOURCE_NOT_EXISTS" }) : ok(answered(found));
      }),
    applyAbnormal: (walletRefundNo, bytes, serial) =>
      readBody(abnormalRefundBody, bytes).andThen(({ body }) =>
        ownerOf(body.sub_mchid).andThen((owner): Answered => {
          const found = known(owner, walletRefundNo, "walletRefundNo");
          if (found === undefined) return err({ code: "RESOURCE_NOT_EXISTS" });
          if (found.refund.refundNo !== body.out_refund_no)
            return unfit("/out_refund_no", "not the number of this refund", "body");
          const sealed = { bank_account: body.bank_account, real_name: body.real_name };
          return readable(sealed, serial).andThen((): Answered => {
            if (refundState(found.refund, clock.now()) !== "ABNORMAL")
              return err({ code: "INVALID_REQUEST" });
            const { settlesAt } = options.courseOf(clock.now());
            const redirected = ledger.redirect(found, { outcome: "SUCCESS", settlesAt });
            options.refunded(redirected.order, redirected.refund);
            return ok(answered(redirected));
          });
        }),
      ),
  };

  /** Verifies that WeChat Pay can decrypt the encrypted members that are present. */
  function readable(
    sealed: Readonly<Record<string, string | undefined>>,
    serial: string | null,
  ): Result<void, WalletARefusal> {
    for (const [name, value] of Object.entries(sealed)) {
      if (value === undefined) continue;
      if (serial === null)
        return unfit("Wechatpay-Serial", "names no key for the encrypted members", "header");
      const text = decrypted(options, serial, value);
      if (text === undefined)
        return unfit(`/${name}`, "not encrypted with the key in Wechatpay-Serial", "body");
      if (name === "bank_account" && !/^\d{8,32}$/.test(text))
        return unfit(`/${name}`, "not the number of a bank account", "body");
      if (text === "") return unfit(`/${name}`, "empty", "body");
    }
    return ok(undefined);
  }
}

function unfit(field: string, issue: string, location: WalletADetail["location"]) {
  return err<never, WalletARefusal>({ code: "PARAM_ERROR", detail: { field, issue, location } });
}
