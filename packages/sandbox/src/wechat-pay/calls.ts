import { err, ok, type Result } from "neverthrow";
import type { Ledger, OrderRefusal } from "../ledger.js";
import type { LedgerOrder, LedgerRefund, Terms } from "../ledger-order.js";
import type { RefundCourse } from "../ledger-refunds.js";
import { SUB_MERCHANTS, type WalletAMerchant } from "../merchant.js";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { canonicalText, canonicalWithout } from "../wire/canonical.js";
import type { WalletAAnswer, WalletACode, WalletADetail, WalletARefusal } from "./answers.js";
import {
  closeBody,
  PARTNER_PREPAY_BODIES,
  partnerCloseBody,
  type PrepayBody,
  PREPAY_BODIES,
  readBody,
} from "./request-schemas.js";
import { transactionText } from "./trade-json.js";
import { LIFETIMES, prepaymentValues, type WalletAMethod } from "./prepayment.js";

/** The dependencies of WeChat Pay's calls. */
export interface WalletACallsOptions {
  readonly ledger: Ledger;
  readonly merchant: WalletAMerchant;
  readonly clock: { now(): number };
  /** Returns how a refund that is accepted at `at` (epoch milliseconds) proceeds. */
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
  query(outTradeNo: string, names: URLSearchParams): Answered;
  /** Like `query`, by the wallet's own number, which the merchant learns with the payment. */
  queryById(transactionId: string, names: URLSearchParams): Answered;
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

/**
 * Opens the calls over a ledger.
 *
 * @param isPartner - whether the merchant acts as a service provider for its sub-merchants.
 */
export function walletACalls(options: WalletACallsOptions, isPartner: boolean): WalletACalls {
  const { ledger, merchant, clock } = options;
  const { mchid } = merchant;
  const ownerOf = isPartner ? subMerchantNamed(mchid) : merchantNamed(mchid);
  const query = (outTradeNo: string, names: URLSearchParams): Answered =>
    ownerOf(Object.fromEntries(names), "query").andThen((owner) => {
      const order = ledger.findFor(owner, outTradeNo);
      return order === undefined
        ? err<never, WalletARefusal>({ code: "ORDER_NOT_EXIST" })
        : ok(answered(transactionText(order, clock.now())));
    });

  /** Returns the members of an order that differ between merchants and service providers. */
  function readOwner(paySource: WalletAMethod, bytes: Uint8Array): Result<PrepayRequest, WalletARefusal> {
    if (!isPartner)
      return readBody(PREPAY_BODIES[paySource], bytes).map(({ body, sent }) => {
        const { mchid: merchantId, appid: walletAppId, payer } = body;
        const payerId = payer?.openid ?? "";
        return { body, sent, names: { mchid: merchantId }, appId: walletAppId, walletAppId, payerId };
      });
    return readBody(PARTNER_PREPAY_BODIES[paySource], bytes).map(({ body, sent }) => {
      const { sp_mchid, sub_mchid, sp_appid: appId, sub_appid: walletAppId = appId, payer } = body;
      const payerId = payer?.sp_openid ?? payer?.sub_openid ?? "";
      return { body, sent, names: { sp_mchid, sub_mchid }, appId, walletAppId, payerId };
    });
  }

  return {
    prepay: (paySource, bytes, delivered) =>
      readOwner(paySource, bytes).andThen((read): Answered => {
        const { body, sent, names, appId, walletAppId, payerId } = read;
        if (appId !== merchant.appid) return err({ code: "APPID_MCHID_NOT_MATCH" });
        return ownerOf(names, "body").andThen((merchantId) => {
          if (isPartner && !mayUse(merchantId, walletAppId, appId))
            return err<never, WalletARefusal>({ code: "APPID_MCHID_NOT_MATCH" });
          const now = clock.now();
          const terms: Terms = {
            merchantId,
            walletAppId,
            ...(isPartner ? { provider: { id: mchid, appId } } : {}),
            outTradeNo: body.out_trade_no,
            amount: body.amount.total,
            goodsTitle: body.description,
            paySource,
            payerId,
            notifyUrl: body.notify_url,
            expiresAt: expiry(body.time_expire, now),
            // A repeated request may have another address of the payer, but not another shop.
            frozen: canonicalText([
              canonicalWithout(sent, "scene_info"),
              body.scene_info?.store_info ?? null,
            ]),
            echoed: body.attach === undefined ? {} : { attach: body.attach },
          };
          return ledger
            .prepay(terms, Math.min(now + LIFETIMES[paySource], terms.expiresAt), delivered)
            .map(({ token }) => answered(JSON.stringify(prepaymentValues(paySource, token))))
            .mapErr((reason): WalletARefusal => ({ code: CODES[reason] }));
        });
      }),
    query,
    queryById: (transactionId, names) => query(ledger.numberOf(transactionId) ?? "", names),
    close: (outTradeNo, bytes) =>
      readBody<Readonly<Record<string, string>>>(isPartner ? partnerCloseBody : closeBody, bytes)
        .andThen(({ body }) => ownerOf(body, "body"))
        .andThen((owner): Answered => {
          const outcome = ledger.close(owner, outTradeNo);
          if (outcome === "absent") return err({ code: "ORDER_NOT_EXIST" });
          return outcome === "paid" ? err({ code: "ORDERPAID" }) : ok({ status: 204, body: "" });
        }),
  };
}

/** A prepay request, with the members that differ between merchants and service providers. */
interface PrepayRequest {
  readonly body: Pick<
    PrepayBody,
    "out_trade_no" | "amount" | "description" | "notify_url" | "time_expire" | "attach" | "scene_info"
  >;
  readonly sent: unknown;
  readonly names: Names;
  /** The app of the merchant who signed. */
  readonly appId: string;
  readonly walletAppId: string;
  readonly payerId: string;
}

type Names = Readonly<Record<string, string | undefined>>;
/** Returns the merchant that a request names, if the signer may act for it. */
type OwnerOf = (names: Names, location: WalletADetail["location"]) => Result<string, WalletARefusal>;

function merchantNamed(signer: string): OwnerOf {
  return ({ mchid }, location) => (mchid === signer ? ok(signer) : notTheSigner("/mchid", location));
}

function subMerchantNamed(signer: string): OwnerOf {
  return ({ sp_mchid, sub_mchid }, location) =>
    sp_mchid === signer ? subMerchantOf(sub_mchid) : notTheSigner("/sp_mchid", location);
}

/** Returns the number of a sub-merchant, or refuses one that does not belong to the provider. */
export function subMerchantOf(mchid: string | undefined): Result<string, WalletARefusal> {
  const known = SUB_MERCHANTS.some(({ walletA }) => walletA.mchid === mchid);
  return known && mchid !== undefined ? ok(mchid) : err({ code: "NO_AUTH" });
}

function mayUse(merchantId: string, appId: string, providerAppId: string): boolean {
  const own = SUB_MERCHANTS.find(({ walletA }) => walletA.mchid === merchantId)?.walletA.appid;
  return appId === providerAppId || appId === own;
}

function notTheSigner(field: string, location: WalletADetail["location"]) {
  const detail = { field, issue: "not the merchant who signed", location };
  return err<never, WalletARefusal>({ code: "PARAM_ERROR", detail });
}

function expiry(stated: string | undefined, now: number): number {
  const instant = stated === undefined ? undefined : instantOfRfc3339(stated);
  if (instant === undefined) return now + TO_PAY.unset;
  return Math.min(Math.max(instant, now + TO_PAY.least), now + TO_PAY.most);
}

function answered(body: string): WalletAAnswer {
  return { status: 200, body };
}
