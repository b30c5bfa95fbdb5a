import type { PayChannel, PayPayload, Prepayment, RawNotification, WalletFailure } from "@tillkit/core";
import type {
  NotificationRefusal,
  PaymentRequest,
  WalletEvent,
  WalletOrder,
  WalletRefund,
  WalletRefundRequest,
} from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { anId, MINUTE, unique } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import type { WalletHarness } from "./wallet-harness.js";

/** Timeout in milliseconds for tests that do not measure time. */
export const LIMITS = { deadline: 60_000 };

/** Maximum clock difference of a notification, in milliseconds. */
export const SKEW = 5 * MINUTE;

/** The payer id of a customer at each wallet. */
const PAYERS = {
  WALLET_A: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  WALLET_B: "2088102146225135",
} as const satisfies Record<PayChannel, string>;

/** The test environment of `walletContract`, with helpers that act as a merchant. */
export interface WalletFixture {
  readonly wallet: () => WalletHarness;
  readonly aRequest: (changes?: Partial<PaymentRequest>) => PaymentRequest;
  /** Returns a prepayment. It is local if the wallet needs no call. */
  readonly aPrepayment: (request: PaymentRequest) => Promise<Prepayment>;
  /** Returns the payload that opens the payment. */
  readonly issuePayload: (request: PaymentRequest) => Promise<PayPayload>;
  readonly aPaidOrder: (changes?: Partial<PaymentRequest>) => Promise<PaymentRequest>;
  /** Returns a paid order and the notification of its payment. */
  readonly aNotification: () => Promise<{
    readonly request: PaymentRequest;
    readonly notification: RawNotification;
  }>;
  /** Returns a refund of one yuan. */
  readonly aRefund: (of: PaymentRequest, changes?: Partial<WalletRefundRequest>) => WalletRefundRequest;
  readonly prepare: (request: PaymentRequest, deadline?: number) => ResultAsync<Prepayment, WalletFailure>;
  readonly query: (
    outTradeNo: string,
    deadline?: number,
  ) => ResultAsync<WalletOrder | undefined, WalletFailure>;
  readonly close: (
    outTradeNo: string,
    deadline?: number,
  ) => ResultAsync<"closed" | "absent" | "paid", WalletFailure>;
  readonly refund: (
    request: WalletRefundRequest,
    deadline?: number,
  ) => ResultAsync<WalletRefund, WalletFailure>;
  readonly queryRefund: (
    request: WalletRefundRequest,
    deadline?: number,
  ) => ResultAsync<WalletRefund | undefined, WalletFailure>;
  /** Reads a notification as if it arrived `later` milliseconds from now. */
  readonly read: (
    notification: RawNotification,
    later?: number,
  ) => ResultAsync<WalletEvent, NotificationRefusal>;
}

/**
 * Creates the test environment of `walletContract`.
 *
 * @param wallet - Returns the wallet of the running test.
 */
export function walletFixture(wallet: () => WalletHarness): WalletFixture {
  const limits = (deadline: number = LIMITS.deadline) => ({ deadline });

  function aRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
    const outTradeNo = anId();
    const payer = changes.paySource === "JSAPI" ? { payerId: PAYERS[wallet().payChannel] } : {};
    return {
      outTradeNo,
      amount: 600,
      goodsTitle: "VIP 会员",
      paySource: "APP",
      notifyUrl: `https://pay.example/notify/${outTradeNo}`,
      returnUrl: "https://pay.example/return",
      expiresAt: wallet().now() + 120 * MINUTE,
      ...payer,
      ...changes,
    };
  }

  async function aPrepayment(request: PaymentRequest): Promise<Prepayment> {
    const { account } = wallet();
    const local = wallet().localPrepayment(account, request, wallet().now());
    return local ?? expectOk(wallet().prepare(account, request, LIMITS));
  }

  async function issuePayload(request: PaymentRequest): Promise<PayPayload> {
    const prepayment = await aPrepayment(request);
    return expectOk(wallet().payload(wallet().account, request, prepayment, wallet().now()));
  }

  async function aPaidOrder(changes: Partial<PaymentRequest> = {}): Promise<PaymentRequest> {
    const request = aRequest(changes);
    if (!(await wallet().pay(request.outTradeNo, await issuePayload(request))))
      throw new Error("The wallet took no payment.");
    return request;
  }

  return {
    wallet,
    aRequest,
    aPrepayment,
    issuePayload,
    aPaidOrder,
    aNotification: async () => {
      const request = await aPaidOrder();
      const notification = (await wallet().notifications()).at(-1);
      if (notification === undefined) throw new Error("The wallet sent no notification of the payment.");
      return { request, notification };
    },
    aRefund: ({ outTradeNo, amount: orderAmount, notifyUrl }, changes = {}) => {
      const refundNo = unique("refund-");
      return { outTradeNo, refundNo, amount: 100, orderAmount, reason: "returned", notifyUrl, ...changes };
    },
    prepare: (request, deadline) => wallet().prepare(wallet().account, request, limits(deadline)),
    query: (outTradeNo, deadline) => wallet().query(wallet().account, outTradeNo, limits(deadline)),
    close: (outTradeNo, deadline) => wallet().close(wallet().account, outTradeNo, limits(deadline)),
    refund: (request, deadline) => wallet().refund(wallet().account, request, limits(deadline)),
    queryRefund: (request, deadline) => wallet().queryRefund(wallet().account, request, limits(deadline)),
    read: (notification, later = 0) =>
      wallet().readNotification(wallet().account, notification, {
        now: wallet().now() + later,
        skew: SKEW,
      }),
  };
}
