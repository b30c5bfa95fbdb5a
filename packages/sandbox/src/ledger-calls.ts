import type {
  CallLimits,
  Clock,
  PaymentRequest,
  Prepayment,
  Wallet,
  WalletAccount,
  WalletFailure,
  WalletOrder,
  WalletRefund,
  WalletRejected,
} from "@tillkit/core";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { CallFault, WalletCall } from "./faults.js";
import { faulty, refusal } from "./faulty.js";
import type { Ledger, OrderRefusal, RefundRefusal } from "./ledger.js";
import type { LedgerOrder, LedgerRefund, Terms } from "./ledger-order.js";
import { settled } from "./shared/settled.js";

/** One wallet's server side, as its client and its notifier see it. */
export interface WalletSide {
  readonly ledger: Ledger;
  /** What its calls wait by, too. */
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Hears of each refund once. */
  readonly refunded: (order: LedgerOrder, refund: LedgerRefund) => void;
  /** What goes wrong with a call that begins now. */
  fault(call: WalletCall): CallFault | null;
}

/** What differs between the two wallets in the calls that go to the server side. */
export interface CallTraits {
  /** What is wrong with the account, so that the wallet would refuse its signature; empty when nothing is. */
  problems(account: WalletAccount): readonly string[];
  /** How long a payment can be opened with a prepayment, in milliseconds. */
  lifetime(request: PaymentRequest): number;
  /** The values of a prepayment. */
  values(request: PaymentRequest, token: string): Readonly<Record<string, string>>;
  stateOrder(order: LedgerOrder): WalletOrder;
  stateRefund(order: LedgerOrder, refund: LedgerRefund): WalletRefund;
}

/** The calls of a wallet that a network would carry. Each is refused for credentials that the wallet does not know. */
export function ledgerCalls(
  side: WalletSide,
  traits: CallTraits,
): Pick<Wallet, "prepare" | "query" | "close" | "refund" | "queryRefund"> {
  const { ledger, clock } = side;

  function call<T>(
    account: WalletAccount,
    { deadline }: CallLimits,
    fault: WalletCall,
    act: (heard: boolean) => Result<T, OrderRefusal | RefundRefusal>,
  ): ResultAsync<T, WalletFailure> {
    const [problem] = traits.problems(account);
    if (problem !== undefined) return settled(err(refusal("configuration", problem)));
    return faulty(
      side.fault(fault),
      () => clock.sleep(deadline),
      (heard) => act(heard).mapErr(rejection),
    );
  }

  return {
    prepare: (account, request, limits) =>
      call(account, limits, "prepay", (heard) => {
        const validUntil = Math.min(clock.now() + traits.lifetime(request), request.expiresAt);
        return ledger.prepay(termsOf(account, request), validUntil, heard).map((prepayment): Prepayment => {
          const { issuedAt, token } = prepayment;
          return { issuedAt, validUntil: prepayment.validUntil, values: traits.values(request, token) };
        });
      }),
    query: (account, outTradeNo, limits) =>
      call(account, limits, "query", () => {
        const order = ledger.findFor(account.accountId, outTradeNo);
        return ok(order === undefined ? undefined : traits.stateOrder(order));
      }),
    close: (account, outTradeNo, limits) =>
      call(account, limits, "close", () => ok(ledger.close(account.accountId, outTradeNo))),
    refund: (account, request, limits) =>
      call(account, limits, "refund", () =>
        ledger.refund(account.accountId, request).map(({ order, refund, fresh }) => {
          if (fresh) side.refunded(order, refund);
          return traits.stateRefund(order, refund);
        }),
      ),
    queryRefund: (account, { outTradeNo, refundNo }, limits) =>
      call(account, limits, "query", () => {
        const order = ledger.findFor(account.accountId, outTradeNo);
        const refund = order?.refunds.find((known) => known.refundNo === refundNo);
        return ok(
          order === undefined || refund === undefined ? undefined : traits.stateRefund(order, refund),
        );
      }),
  };
}

/** What the wallet freezes of a request. Where the customer returns to is no term of the order: a host that moved may say another address. */
export function termsOf(account: WalletAccount, request: PaymentRequest): Terms {
  const { outTradeNo, amount, goodsTitle, paySource, notifyUrl, expiresAt } = request;
  const frozen = JSON.stringify([amount, goodsTitle, notifyUrl, expiresAt]);
  const owner = { merchantId: account.accountId, walletAppId: account.walletAppId };
  return { ...owner, outTradeNo, amount, goodsTitle, paySource, notifyUrl, expiresAt, frozen, echoed: {} };
}

/** What the books refuse, in the port's words. */
export function rejection(reason: OrderRefusal | RefundRefusal): WalletRejected {
  return REJECTIONS[reason];
}

const REJECTIONS = {
  foreign: refusal("conflict", "the number is another merchant's"),
  conflict: refusal("conflict", "the number is in use with other parameters"),
  paid: refusal("paid", "the order is paid"),
  closed: refusal("closed", "the order is closed"),
  expired: refusal("closed", "the time to pay is over"),
  absent: refusal("other", "there is no such order"),
  "not-paid": refusal("other", "the order is not paid"),
  "other-total": refusal("other", "the order has another amount"),
  exceeds: refusal("other", "the refund is more than what is left"),
} as const satisfies Record<OrderRefusal | RefundRefusal, WalletRejected>;
