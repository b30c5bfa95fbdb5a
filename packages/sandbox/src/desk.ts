import type { PayChannel } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { Cashier, Payload } from "./cashier.js";
import type { Attempt, Courier, SentNotification } from "./courier.js";
import type { Falsity } from "./faults.js";
import type { CustomerRefusal, Ledger } from "./ledger.js";
import type { LedgerOrder } from "./ledger-order.js";
import type { Messages } from "./messages.js";
import { newNotice } from "./notice.js";

/** Why the sandbox cannot do what it was asked, in words that say what to do instead. */
export interface DeskRefusal {
  readonly status: 404 | 409 | 422;
  readonly error: string;
}

/** An order after its customer was at the wallet. */
export interface CustomerOutcome {
  readonly outTradeNo: string;
  readonly state: LedgerOrder["state"];
}

/** An order after it was paid; `notified` when the service has acknowledged it. */
export interface PaidOutcome extends CustomerOutcome {
  readonly notified: boolean;
}

/** What came of repeated notifications: how many were sent, how many acknowledged. */
export interface NotifiedOutcome {
  readonly outTradeNo: string;
  readonly delivered: number;
  readonly acknowledged: number;
}

/** What a wallet knows of an order. `amount` is cents; `prepayCount` is how many prepayments it handed out. */
export interface KnownOrder extends CustomerOutcome {
  readonly amount: number;
  readonly prepayCount: number;
}

/** What a customer comes with: the number of an order whose payload they hold, or the payload itself. */
export type Shown = string | Payload;

/** How repeated notifications are sent. */
export interface NotifyOptions {
  readonly times: number;
  /** Cents: claims another amount, genuinely signed. */
  readonly amount?: number;
  /** Something false in place of what the wallet would send. */
  readonly as?: Falsity;
}

/** Plays the customers and the hands of the wallets: one place for programs and for the control interface. */
export interface Desk {
  /** The customer opens the payment without paying: at WALLET_B the trade begins to exist. */
  open(shown: Shown): Result<CustomerOutcome, DeskRefusal>;
  /**
   * The customer pays; resolves when the first notification was answered. Paying again changes nothing. `late`: the payment slips through
   * though the time for it is over or the order is closed.
   */
  pay(shown: Shown, options?: { readonly late?: boolean }): Promise<Result<PaidOutcome, DeskRefusal>>;
  /** The customer's phone gets what WALLET_B's app signed, and holds it for `open` and `pay` by number. */
  receive(shown: Payload): Result<CustomerOutcome, DeskRefusal>;
  /** The wallet repeats its notification that the order is paid. */
  notify(outTradeNo: string, options: NotifyOptions): Promise<Result<NotifiedOutcome, DeskRefusal>>;
  order(outTradeNo: string): Result<KnownOrder, DeskRefusal>;
  /** The last thousand notifications that were sent, oldest first; of one order, or of all. */
  sent(outTradeNo?: string): readonly SentNotification[];
  /** Cents that customers paid at the wallet, less what went back to them: what a day's books must add up to. */
  balance(payChannel: PayChannel): number;
}

const REFUSALS = {
  unknown: { status: 404, error: "No wallet knows this outTradeNo: create the order first." },
  closed: { status: 409, error: "The order is closed at the wallet: create one with a new bizNo." },
  expired: { status: 409, error: "The time to pay this order is over: create one with a new bizNo." },
} as const satisfies Record<CustomerRefusal, DeskRefusal>;

/** What the desk is over. */
export interface DeskOptions {
  readonly ledgers: Readonly<Record<PayChannel, Ledger>>;
  readonly cashier: Cashier;
  readonly messages: Messages;
  readonly courier: Courier;
  readonly clock: { now(): number };
}

/** Opens the desk over the books of both wallets. */
export function openDesk({ ledgers, cashier, messages, courier, clock }: DeskOptions): Desk {
  function holder(outTradeNo: string): PayChannel {
    return ledgers.WALLET_A.find(outTradeNo) === undefined ? "WALLET_B" : "WALLET_A";
  }

  function admitted(shown: Shown): Result<string, DeskRefusal> {
    return typeof shown === "string" ? ok(shown) : cashier.admit(shown).mapErr(refused);
  }

  return {
    balance: (payChannel) => ledgers[payChannel].balance(),
    sent: (outTradeNo) =>
      courier.sent().filter((one) => outTradeNo === undefined || one.outTradeNo === outTradeNo),
    receive: (shown) =>
      cashier
        .receive(shown)
        .map((outTradeNo) => ({ outTradeNo, state: ledgers.WALLET_B.find(outTradeNo)?.state ?? "NOTPAY" }))
        .mapErr(refused),
    open: (shown) =>
      admitted(shown).andThen((outTradeNo) =>
        ledgers[holder(outTradeNo)]
          .open(outTradeNo)
          .map(({ state }) => ({ outTradeNo, state }))
          .mapErr((refusal) => REFUSALS[refusal]),
      ),
    pay: async (shown, { late = false } = {}) => {
      const admission = admitted(shown);
      if (admission.isErr()) return err(admission.error);
      const outTradeNo = admission.value;
      const payChannel = holder(outTradeNo);
      const paid = ledgers[payChannel].pay(outTradeNo, late);
      if (paid.isErr()) return err(REFUSALS[paid.error]);
      const notice = newNotice(payChannel, "payment", outTradeNo, { dueAt: clock.now() });
      if (paid.value.terms.notifyUrl !== "") await courier.announce(notice);
      return ok({ outTradeNo, state: paid.value.state, notified: courier.acknowledged(notice.id) });
    },
    notify: async (outTradeNo, { times, amount, as }) => {
      const payChannel = holder(outTradeNo);
      const order = ledgers[payChannel].find(outTradeNo);
      if (order === undefined) return err(REFUSALS.unknown);
      if (order.paidAt === null)
        return err({ status: 409, error: "Nothing to repeat: pay the order first." });
      if (as === "probe" && payChannel === "WALLET_B")
        return err({ status: 409, error: "WALLET_B sends no probes: take an order of WALLET_A." });
      const claimed = amount === undefined ? order : { ...order, terms: { ...order.terms, amount } };
      const message = messages.payment(payChannel, claimed);
      const attempts: Attempt[] = [];
      for (let sent = 0; sent < times; sent += 1) attempts.push(await courier.deliver(message, as ?? null));
      return ok({
        outTradeNo,
        delivered: attempts.filter((attempt) => attempt.delivered).length,
        acknowledged: attempts.filter((attempt) => attempt.acknowledged).length,
      });
    },
    order: (outTradeNo) => {
      const order = ledgers[holder(outTradeNo)].find(outTradeNo);
      if (order === undefined) return err(REFUSALS.unknown);
      const { terms, state, prepayments } = order;
      return ok({ outTradeNo, state, amount: terms.amount, prepayCount: prepayments.length });
    },
  };
}

function refused(why: string): DeskRefusal {
  return { status: 422, error: `The wallet refuses the payload: ${why}.` };
}
