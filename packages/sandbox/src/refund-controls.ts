import type { PayChannel } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { digits } from "./shared/digits.js";
import type { ControlRefusal } from "./control-refusal.js";
import type { Ledger } from "./ledger.js";
import {
  type DEPOSIT_BACKS,
  type LedgerOrder,
  type LedgerRefund,
  type RefundOutcome,
  type RefundState,
  refundState,
  withheldAmount,
} from "./ledger-order.js";
import type { KnownRefund, RefundCourse, RefundRefusal } from "./ledger-refunds.js";
import { unknownOrder } from "./unknown-order.js";

/** A refund as the wallet knows it. `amount` is cents. */
export interface ShownRefund {
  readonly refundNo: string;
  readonly outTradeNo: string;
  readonly payChannel: PayChannel;
  readonly amount: number;
  readonly state: RefundState;
  /** The wallet's own number of the refund, `refund_id` at WeChat Pay. */
  readonly walletRefundNo: string;
  /** The state at the customer's bank; always `null` at WeChat Pay. */
  readonly depositBack: (typeof DEPOSIT_BACKS)[number] | null;
}

/** A change that the wallet's staff makes to a refund. Omitted members stay. */
export interface RefundChange {
  readonly state?: RefundState | undefined;
  readonly depositBack?: (typeof DEPOSIT_BACKS)[number] | null | undefined;
}

/** A refund in the console of a wallet. */
export interface ConsoleRefund {
  /** Cents. Defaults to the rest of the order. */
  readonly amount?: number | undefined;
  /**
   * Whether the wallet notifies the service at the URL of the order.
   *
   * Defaults to what the wallets do: Alipay notifies, WeChat Pay does not.
   */
  readonly notify?: boolean | undefined;
}

/** Cents that the merchant can refund with at each wallet; `null` means no limit. */
export type Funds = Readonly<Record<"walletA" | "walletB", number | null>>;

/** Controls refunds and the merchant's money at both wallets. */
export interface RefundControls {
  refund(refundNo: string): Result<ShownRefund, ControlRefusal>;
  /** Returns the refunds of an order in any state, oldest first. Empty for an unknown order. */
  refundsOf(outTradeNo: string): readonly ShownRefund[];
  /**
   * Refunds a paid order without the service, as the merchant does in the wallet's console.
   *
   * The wallet chooses the number.
   */
  refundInConsole(outTradeNo: string, refund?: ConsoleRefund): Result<ShownRefund, ControlRefusal>;
  /**
   * Ends a refund, or holds it in PROCESSING until the next change.
   *
   * Resolves after the wallet's first report of the end.
   */
  changeRefund(refundNo: string, change: RefundChange): Promise<Result<ShownRefund, ControlRefusal>>;
  funds(): Funds;
  /** Sets the cents that the merchant can refund with. An omitted wallet stays. */
  setFunds(funds: { readonly [Wallet in keyof Funds]?: number | null | undefined }): Funds;
  /**
   * Adds cents to what the merchant can refund with. A wallet without a limit stays without one.
   */
  topUp(cents: { readonly [Wallet in keyof Funds]?: number | undefined }): Funds;
}

/** The dependencies of the refund controls. */
export interface RefundControlsOptions {
  readonly ledgers: Readonly<Record<PayChannel, Ledger>>;
  readonly clock: { now(): number };
  /** Returns how a refund that a wallet accepts at `at` (epoch milliseconds) proceeds. */
  readonly courseOf: (payChannel: PayChannel, at: number) => RefundCourse;
  /** Called for each refund that a wallet accepts. */
  readonly accepted: (payChannel: PayChannel, order: LedgerOrder, refund: LedgerRefund) => void;
  /** Reports the end of a refund to the service, once. */
  readonly report: (payChannel: PayChannel, order: LedgerOrder, refund: LedgerRefund) => Promise<void>;
}

const CHANNELS = { walletA: "WALLET_A", walletB: "WALLET_B" } as const;

/** Creates the refund controls over the ledgers of both wallets. */
export function createRefundControls({
  ledgers,
  clock,
  courseOf,
  accepted,
  report,
}: RefundControlsOptions): RefundControls {
  function find(
    refundNo: string,
  ): { readonly payChannel: PayChannel; readonly known: KnownRefund } | undefined {
    for (const payChannel of Object.values(CHANNELS)) {
      const known = ledgers[payChannel].findRefund(refundNo);
      if (known !== undefined) return { payChannel, known };
    }
    return undefined;
  }

  function shown(payChannel: PayChannel, { order, refund }: KnownRefund): ShownRefund {
    const { refundNo, amount, walletRefundNo, depositBack } = refund;
    const state = refundState(refund, clock.now());
    const { outTradeNo } = order.terms;
    return { refundNo, outTradeNo, payChannel, amount, state, walletRefundNo, depositBack };
  }

  function endAt(outcome: RefundOutcome | undefined): Partial<RefundCourse> {
    return outcome === undefined ? {} : { outcome, settlesAt: clock.now() };
  }

  const funds = (): Funds => ({ walletA: ledgers.WALLET_A.funds(), walletB: ledgers.WALLET_B.funds() });

  return {
    refund: (refundNo) => {
      const found = find(refundNo);
      return found === undefined ? err(UNKNOWN) : ok(shown(found.payChannel, found.known));
    },
    refundsOf: (outTradeNo) =>
      Object.values(CHANNELS).flatMap((payChannel) => {
        const order = ledgers[payChannel].find(outTradeNo);
        return (order?.refunds ?? []).flatMap((refund) =>
          order === undefined ? [] : [shown(payChannel, { order, refund })],
        );
      }),
    refundInConsole: (outTradeNo, { amount, notify } = {}) => {
      const payChannel = ledgers.WALLET_A.find(outTradeNo) === undefined ? "WALLET_B" : "WALLET_A";
      const order = ledgers[payChannel].find(outTradeNo);
      if (order === undefined) return err(unknownOrder(ledgers, outTradeNo));
      const rest = order.terms.amount - withheldAmount(order, clock.now());
      const notifies = notify ?? payChannel === "WALLET_B";
      const made = ledgers[payChannel].refund(
        order.terms.merchantId,
        {
          outTradeNo,
          refundNo: digits(28),
          amount: amount ?? rest,
          notifyUrl: notifies ? order.terms.notifyUrl : "",
        },
        courseOf(payChannel, clock.now()),
      );
      if (made.isErr()) return err(refusedRefund(made.error));
      accepted(payChannel, made.value.order, made.value.refund);
      return ok(shown(payChannel, made.value));
    },
    changeRefund: async (refundNo, { state, depositBack }) => {
      const found = find(refundNo);
      if (found === undefined) return err(UNKNOWN);
      const { payChannel, known } = found;
      const now = refundState(known.refund, clock.now());
      if (depositBack !== undefined && payChannel === "WALLET_A") return err(NO_BANK);
      if (state === "ABNORMAL" && payChannel === "WALLET_B") return err(NO_ABNORMAL);
      if (state !== undefined && state !== now && (now === "SUCCESS" || now === "CLOSED")) return err(FINAL);
      // A refund held in PROCESSING no longer ends by itself.
      const course: Partial<RefundCourse> =
        state === "PROCESSING" ? { settlesAt: null } : endAt(state === now ? undefined : state);
      const bank = depositBack === undefined ? {} : { depositBack };
      const changed = ledgers[payChannel].redirect(known, { ...course, ...bank });
      if (course.outcome !== undefined) await report(payChannel, changed.order, changed.refund);
      return ok(shown(payChannel, changed));
    },
    funds,
    setFunds: ({ walletA, walletB }) => {
      if (walletA !== undefined) ledgers.WALLET_A.setFunds(walletA);
      if (walletB !== undefined) ledgers.WALLET_B.setFunds(walletB);
      return funds();
    },
    topUp: ({ walletA = 0, walletB = 0 }) => {
      const stored = funds();
      if (stored.walletA !== null) ledgers.WALLET_A.setFunds(stored.walletA + walletA);
      if (stored.walletB !== null) ledgers.WALLET_B.setFunds(stored.walletB + walletB);
      return funds();
    },
  };
}

function refusedRefund(reason: RefundRefusal): ControlRefusal {
  return { status: 409, message: `The wallet refuses the refund: ${reason}.` };
}

const UNKNOWN = {
  status: 404,
  message:
    "No wallet has a refund with this number. It is the order's id, a hyphen and the refundNo of Tillkit.",
} as const satisfies ControlRefusal;
const FINAL = {
  status: 409,
  message: "The refund has ended: only PROCESSING and ABNORMAL refunds change.",
} as const satisfies ControlRefusal;
const NO_ABNORMAL = {
  status: 409,
  message: "Alipay has no ABNORMAL refunds: use CLOSED, or set depositBack to F.",
} as const satisfies ControlRefusal;
const NO_BANK = {
  status: 409,
  message: "Only Alipay reports depositBack: take a refund of WALLET_B.",
} as const satisfies ControlRefusal;
