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
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CallFault, WalletFaults } from "./faults.js";
import type { Ledger } from "./ledger.js";
import type { LedgerOrder, LedgerRefund, Terms } from "./ledger-order.js";
import { settled } from "./shared/settled.js";

/** One wallet's server side, as its client and its notifier see it. */
export interface WalletSide {
  readonly ledger: Ledger;
  /** What its calls wait by, too. */
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Hears of each refund once. */
  readonly refunded: (order: LedgerOrder, refund: LedgerRefund) => void;
  faults(): WalletFaults;
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
    fault: keyof Omit<WalletFaults, "notify">,
    act: (heard: boolean) => Result<T, WalletRejected>,
  ): ResultAsync<T, WalletFailure> {
    const [problem] = traits.problems(account);
    if (problem !== undefined) return settled(err(refusal("configuration", problem)));
    return faulty(side.faults()[fault], () => clock.sleep(deadline), act);
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

/** What the wallet freezes of a request. */
export function termsOf(account: WalletAccount, request: PaymentRequest): Terms {
  const { outTradeNo, amount, goodsTitle, paySource, notifyUrl, returnUrl, expiresAt } = request;
  const owner = { merchantId: account.accountId, walletAppId: account.walletAppId };
  return { outTradeNo, amount, goodsTitle, paySource, notifyUrl, returnUrl, expiresAt, ...owner };
}

/**
 * Does `act` as a wallet far away would under `fault`; `heard` is false when the answer will be lost. A lost answer is unknown at
 * once, which keeps tests short; a wallet that hangs is waited for with `untilDeadline`.
 */
export function faulty<T>(
  fault: CallFault,
  untilDeadline: () => Promise<void>,
  act: (heard: boolean) => Result<T, WalletRejected>,
): ResultAsync<T, WalletFailure> {
  const attempt = async (): Promise<Result<T, WalletFailure>> => {
    // A turn of the event loop, as on a network: whoever else is under way gets between.
    await new Promise((resolve) => setImmediate(resolve));
    if (fault === "reject") return err(refusal("other", "the sandbox was told to refuse this"));
    if (fault === "500")
      return err({ name: "wallet.unknown", cause: "server-error", detail: "500 SYSTEM_ERROR" });
    if (fault === "hang") await untilDeadline();
    else {
      const outcome = act(fault === null);
      if (fault === null) return outcome;
    }
    return err({ name: "wallet.unknown", cause: "timeout", detail: "no answer within the deadline" });
  };
  return new ResultAsync(attempt());
}

/** A definite no. */
export function refusal(reason: WalletRejected["reason"], detail: string): WalletRejected {
  return { name: "wallet.rejected", reason, detail };
}
