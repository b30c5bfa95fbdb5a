import {
  billDay,
  type Clock,
  type PayChannel,
  type RawNotification,
  type Wallet,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import type { AccountProblem, WalletEvent, WalletOrder, WalletRefund } from "@tillkit/core/ports";
import { systemClock } from "@tillkit/runtime";
import { streamBillLines, streamFlowLines } from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { frozen } from "../state/frozen.js";
import { billLines, feesOf, flowLines } from "./memory-wallet-bill.js";
import {
  isSameTrade,
  prepaymentOf,
  refund,
  refundedAmount,
  reject,
  restated,
  statement,
  type Trade,
  tradeFor,
} from "./memory-wallet-trade.js";
import { memoryShipments } from "./memory-shipments.js";
import { fakePayload } from "./wallet-payload.js";
import { type SignedNotification, walletAnswer, notificationWriter } from "./notification-writer.js";

/** The wallet calls that a real wallet answers over the network. */
export type WalletCall =
  | "prepare"
  | "query"
  | "close"
  | "refund"
  | "queryRefund"
  | "applyAbnormalRefund"
  | "readBill"
  | "readFundFlow";

/** A wallet in memory that a test controls: the test acts as the customer and the wallet. */
export interface MemoryWallet extends Wallet {
  /**
   * Opens the payment as the customer, without paying.
   *
   * An Alipay wallet stores the order at this point. Throws in the same cases as
   * {@link MemoryWallet.pay}.
   */
  open(outTradeNo: string): void;
  /**
   * Pays the order as the customer. Sends no notification.
   *
   * Throws if the wallet does not know the order, if the order is not open, or if its time to pay
   * is over. With `late`, the order may be closed, and its time to pay may be over.
   */
  pay(outTradeNo: string, options?: { readonly late?: boolean }): void;
  /** Returns the state of the order at the wallet. Throws if the wallet does not know the order. */
  stateOf(outTradeNo: string): WalletOrder["state"];
  /** Returns the balance of all merchants in cents: payments minus confirmed refunds. */
  balance(): number;
  /**
   * Makes the next call of this kind fail with `failure`. Repeated calls queue further failures.
   *
   * If the code under test makes no such call, the test does not notice it. The faults of `aShop`
   * make such a test fail.
   *
   * @param when `"before"` (the default) fails the call before it takes effect. `"after"` executes
   *   the call and loses its answer; use it with `wallet.unknown` only.
   */
  failNext(call: WalletCall, failure: WalletFailure, when?: "before" | "after"): void;
  /** Returns how often `prepare` was called for the order, including failed calls. */
  prepareCount(outTradeNo: string): number;
  /**
   * Returns a signed notification of the order in its current state.
   *
   * @param changes Values that the wallet reports instead of the actual ones.
   * @param signedAt Time of the signature, in epoch milliseconds. Defaults to now.
   */
  notificationFor(outTradeNo: string, changes?: Partial<WalletOrder>, signedAt?: number): SignedNotification;
  /**
   * Returns a signed notification of a refund.
   *
   * WeChat Pay reports the refund. Alipay reports the order after the refund. Throws if the wallet
   * has no refund with this number.
   * @param changes Values that WeChat Pay reports instead of the actual ones. Alipay ignores them.
   */
  refundNotificationFor(
    outTradeNo: string,
    refundNo: string,
    changes?: Partial<WalletRefund>,
  ): SignedNotification;
  /** Makes the next refund start as PROCESSING. Call {@link MemoryWallet.endRefund} to end it. */
  holdNextRefund(): void;
  /** Returns the state of the refund at the wallet. Throws if the wallet has no such refund. */
  refundStateOf(outTradeNo: string, refundNo: string): WalletRefund["state"];
  /**
   * Moves a refund from PROCESSING to `state`. Sends no notification.
   *
   * Throws if the refund is not PROCESSING.
   */
  endRefund(outTradeNo: string, refundNo: string, state: "CONFIRMED" | "FAILED" | "ABNORMAL"): void;
  /**
   * Makes the wallet refuse new refunds for lack of money, until this method is called with
   * `false`.
   */
  setOutOfFunds(isOutOfFunds: boolean): void;
  /** Returns the notification with the signature of a foreign key. */
  forgeryOf(notification: SignedNotification): SignedNotification;
  /**
   * Returns the notification with an invalid signature, as WeChat Pay sends it to test the
   * receiver.
   *
   * Returns `undefined` for Alipay, which sends no such tests.
   */
  probeOf(notification: RawNotification): RawNotification | undefined;
}

function problem(code: AccountProblem["code"], field: string, text: string): AccountProblem {
  return { code, field, message: { en: text, zh: text } };
}

/**
 * Creates a wallet for tests. It fulfils the contract of `Wallet`, with obviously fake signatures.
 *
 * The wallet reads three credentials: `checkAccount` reports the text in `problem`, and
 * `credentialExpiries` reports `expiresAt` (epoch milliseconds). With `shipments`, WeChat Pay
 * accepts reports of shipments.
 *
 * Refunds are confirmed immediately, unless `holdNextRefund` was called. Alipay has no ABNORMAL
 * refunds and refuses `applyAbnormalRefund`.
 *
 * @returns the wallet, with methods that act as the wallet and the customer.
 * @example
 * ```ts
 * import { memoryWallet, testClock } from "@tillkit/memory";
 *
 * const wallet = memoryWallet("WALLET_A", testClock());
 * wallet.failNext("query", { name: "wallet.unknown", cause: "timeout", detail: "no answer" });
 * ```
 */
export function memoryWallet(payChannel: PayChannel, clock: Pick<Clock, "now"> = systemClock): MemoryWallet {
  /** Trades by `outTradeNo`. */
  const trades = new Map<string, Trade>();
  /** Orders of Alipay that the wallet does not store until the customer opens or pays them. */
  const offers = new Map<string, Trade>();
  const prepares = new Map<string, number>();
  const failures = new Map<WalletCall, { failure: WalletFailure; when: "before" | "after" }[]>();
  const post = notificationWriter(payChannel);
  let refundsToHold = 0;
  let outOfFunds = false;

  const readTrade = ({ accountId }: WalletAccount, outTradeNo: string): Trade | undefined => {
    const trade = trades.get(outTradeNo);
    return trade?.merchantId === accountId ? trade : undefined;
  };

  const shown = (outTradeNo: string): Trade => {
    const trade = trades.get(outTradeNo) ?? offers.get(outTradeNo);
    if (trade === undefined) throw new Error(`The wallet does not know the order ${outTradeNo}.`);
    return trade;
  };

  /**
   * Returns the trade if the customer can pay it now, and stores it in the wallet.
   *
   * Throws if the wallet does not know the order, if the order is not open, or if its time is over.
   * With `late`, the order may be closed, and its time may be over.
   */
  const payable = (outTradeNo: string, late = false): Trade => {
    const trade = shown(outTradeNo);
    if (trade.state !== "OPEN" && !(late && trade.state === "CLOSED"))
      throw new Error(`The order ${outTradeNo} cannot be paid, because its state is ${trade.state}.`);
    if (!late && clock.now() > trade.request.expiresAt)
      throw new Error(`The time to pay the order ${outTradeNo} is over.`);
    trades.set(outTradeNo, trade);
    return trade;
  };

  /** Runs a call, or makes it fail if a test queued a failure. */
  const call = <T>(name: WalletCall, body: () => Result<T, WalletFailure>): ResultAsync<T, WalletFailure> => {
    const script = failures.get(name)?.shift();
    if (script?.when === "before") return settled(err(script.failure));
    const result = body();
    return settled(script === undefined ? result : err(script.failure));
  };

  return {
    payChannel,
    credentialNames: ["privateKey", "apiKey", "expiresAt", "problem", "shipments"],
    checkAccount: async ({ credentials, payChannel: channel }) => [
      ...(channel === payChannel
        ? []
        : [problem("wrong-channel", "payChannel", `the account is one of ${channel}`)]),
      ...(credentials["problem"] === undefined ? [] : [problem("other", "problem", credentials["problem"])]),
    ],
    credentialExpiries: ({ credentials: { expiresAt } }) =>
      expiresAt === undefined ? [] : [{ name: "expiresAt", expiresAt: Number(expiresAt) }],
    localPrepayment: (_account, { paySource, expiresAt }, now) =>
      payChannel === "WALLET_B" && paySource !== "NATIVE" && paySource !== "JSAPI"
        ? frozen({ issuedAt: now, validUntil: expiresAt, values: {} })
        : undefined,
    prepare: (account, request) => {
      prepares.set(request.outTradeNo, (prepares.get(request.outTradeNo) ?? 0) + 1);
      return call("prepare", () => {
        const { paySource, payerId } = request;
        if (payChannel === "WALLET_A" && paySource === "PC")
          return reject("configuration", "WALLET_A has no page for desktop browsers");
        if (paySource === "JSAPI" && payerId === undefined)
          return reject("configuration", "JSAPI needs payerId");
        const trade = trades.get(request.outTradeNo) ?? tradeFor(account, request);
        if (!isSameTrade(trade, tradeFor(account, request)))
          return reject("conflict", "the number is in use");
        if (trade.state === "CLOSED") return reject("closed", "the order is closed");
        if (trade.state !== "OPEN") return reject("paid", "the order is paid");
        if (clock.now() > request.expiresAt) return reject("closed", "the time to pay is over");
        trades.set(request.outTradeNo, trade);
        return ok(prepaymentOf(trade, clock.now()));
      });
    },
    payload: (account, request, prepayment, at) => {
      if (prepayment.values["prepayId"] === undefined)
        offers.set(request.outTradeNo, tradeFor(account, request));
      const payload = fakePayload(payChannel, account, request, prepayment, at);
      return settled(
        payload === undefined ? reject("other", "the wallet opens no payments there") : ok(frozen(payload)),
      );
    },
    query: (account, outTradeNo) =>
      call("query", () => {
        const trade = readTrade(account, outTradeNo);
        return ok(trade === undefined ? undefined : statement(trade));
      }),
    close: (account, outTradeNo) =>
      call("close", () => {
        const trade = readTrade(account, outTradeNo);
        if (trade === undefined) return ok("absent");
        if (trade.state === "PAID" || trade.state === "REFUNDED") return ok("paid");
        trade.state = "CLOSED";
        return ok("closed");
      }),
    refund: (account, request) =>
      call("refund", () => {
        const trade = readTrade(account, request.outTradeNo);
        const known = trade?.refunds.has(request.refundNo) ?? false;
        if (outOfFunds && !known) return reject("funds", "the merchant's balance is too small");
        const state = refundsToHold > 0 ? "PROCESSING" : "CONFIRMED";
        refundsToHold = Math.max(0, refundsToHold - 1);
        return refund(trade, request, state, clock.now());
      }),
    describeRefund: (_account, request) => ({ operation: "refund", body: JSON.stringify(request) }),
    queryRefund: (account, { outTradeNo, refundNo }) =>
      call("queryRefund", () => ok(readTrade(account, outTradeNo)?.refunds.get(refundNo))),
    applyAbnormalRefund: (account, { outTradeNo, refundNo, walletRefundNo }, { to }) =>
      call("applyAbnormalRefund", () => {
        if (payChannel === "WALLET_B")
          return reject("other", "this wallet has no such call: pay the customer by other means");
        const trade = readTrade(account, outTradeNo);
        const made = trade?.refunds.get(refundNo);
        if (trade === undefined || made?.state !== "ABNORMAL" || made.walletRefundNo !== walletRefundNo)
          return reject("other", "the refund is not abnormal");
        const destination = to === "merchant" ? { toMerchant: true as const } : {};
        const redirected = restated(made, { ...destination, state: "PROCESSING" });
        trade.refunds.set(refundNo, redirected);
        return ok(redirected);
      }),
    readBill: ({ accountId }, day, take) =>
      call("readBill", () =>
        clock.now() < billDay(day).endsAt
          ? reject("not-ready", "the day is not over in China")
          : ok(billLines(trades.values(), accountId, day)),
      ).andThen((lines) =>
        new ResultAsync(
          streamBillLines(
            lines.map((line) => ok(line)),
            take,
          ),
        ).map((totals) => ({ ...totals, ...feesOf(lines) })),
      ),
    readFundFlow: ({ accountId }, day, take) =>
      call("readFundFlow", () =>
        clock.now() < billDay(day).endsAt
          ? reject("not-ready", "the day is not over in China")
          : ok(flowLines(trades.values(), accountId, day)),
      ).andThen(
        (lines) =>
          new ResultAsync(
            streamFlowLines(
              lines.map((line) => ok(line)),
              take,
            ),
          ),
      ),
    readNotification: (account, notification, time) => settled(post.read(account, notification, time)),
    ...(payChannel === "WALLET_A" ? { shipments: memoryShipments(clock) } : {}),
    answer: (taken) => walletAnswer(payChannel, taken),

    open: (outTradeNo) => {
      payable(outTradeNo);
    },
    stateOf: (outTradeNo) => shown(outTradeNo).state,
    pay: (outTradeNo, { late = false } = {}) => {
      const trade = payable(outTradeNo, late);
      trade.state = "PAID";
      trade.paidAt = clock.now();
    },
    failNext: (name, failure, when = "before") => {
      failures.set(name, [...(failures.get(name) ?? []), { failure, when }]);
    },
    prepareCount: (outTradeNo) => prepares.get(outTradeNo) ?? 0,
    notificationFor: (outTradeNo, changes = {}, signedAt = clock.now()) => {
      const trade = shown(outTradeNo);
      return post.write(trade.merchantId, { kind: "payment", order: statement(trade, changes) }, signedAt);
    },
    refundNotificationFor: (outTradeNo, refundNo, changes = {}) => {
      const trade = shown(outTradeNo);
      const made = shownRefund(trade, refundNo);
      const event: WalletEvent =
        payChannel === "WALLET_A"
          ? { kind: "refund", refund: restated(made, changes) }
          : { kind: "payment", order: statement(trade, { refundNo }) };
      return post.write(trade.merchantId, event, clock.now());
    },
    holdNextRefund: () => {
      refundsToHold += 1;
    },
    refundStateOf: (outTradeNo, refundNo) => shownRefund(shown(outTradeNo), refundNo).state,
    endRefund: (outTradeNo, refundNo, state) => {
      const trade = shown(outTradeNo);
      const made = trade.refunds.get(refundNo);
      if (made?.state !== "PROCESSING")
        throw new Error(`The wallet has no refund ${refundNo} in state PROCESSING.`);
      trade.refunds.set(refundNo, restated(made, { state }));
      if (refundedAmount(trade) === trade.request.amount) trade.state = "REFUNDED";
    },
    setOutOfFunds: (isOutOfFunds) => {
      outOfFunds = isOutOfFunds;
    },
    forgeryOf: (notification) => post.forge(notification),
    probeOf: (notification) => (payChannel === "WALLET_A" ? post.probe(notification) : undefined),
    balance: () =>
      [...trades.values()]
        .filter(({ paidAt }) => paidAt !== undefined)
        .reduce((sum, trade) => sum + trade.request.amount - refundedAmount(trade), 0),
  };
}

/** Returns the refund of the trade. Throws if there is none with this number. */
function shownRefund({ refunds }: Trade, refundNo: string): WalletRefund {
  const made = refunds.get(refundNo);
  if (made === undefined) throw new Error(`The wallet has no refund ${refundNo}.`);
  return made;
}

function settled<T, E>(result: Result<T, E>): ResultAsync<T, E> {
  return new ResultAsync(Promise.resolve(result));
}
