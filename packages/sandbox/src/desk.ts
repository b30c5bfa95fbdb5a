import type { PayChannel } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { Attempt, Courier } from "./courier.js";
import type { CustomerRefusal, Ledger } from "./ledger.js";
import type { LedgerOrder } from "./ledger-order.js";
import type { Messages } from "./messages.js";

/** Why the sandbox cannot do what it was asked, in words that say what to do instead. */
export interface DeskRefusal {
  readonly status: 404 | 409;
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

/** Plays the customers and the hands of the wallets: one place for programs and for the control interface. */
export interface Desk {
  /** The customer opens the payment without paying: at WALLET_B the trade begins to exist. */
  open(outTradeNo: string): Result<CustomerOutcome, DeskRefusal>;
  /** The customer pays; resolves when the first notification was answered. Paying again changes nothing. */
  pay(outTradeNo: string): Promise<Result<PaidOutcome, DeskRefusal>>;
  /** The wallet repeats its notification. `amount` (cents) makes it claim another amount, genuinely signed. */
  notify(outTradeNo: string, times: number, amount?: number): Promise<Result<NotifiedOutcome, DeskRefusal>>;
  order(outTradeNo: string): Result<KnownOrder, DeskRefusal>;
  /** Cents that customers paid at the wallet, less what went back to them: what a day's books must add up to. */
  balance(payChannel: PayChannel): number;
}

const REFUSALS = {
  unknown: { status: 404, error: "No wallet knows this outTradeNo: create the order first." },
  closed: { status: 409, error: "The order is closed at the wallet: create one with a new bizNo." },
  expired: { status: 409, error: "The time to pay this order is over: create one with a new bizNo." },
} as const satisfies Record<CustomerRefusal, DeskRefusal>;

/** Opens the desk over the books of both wallets. */
export function openDesk(
  ledgers: Readonly<Record<PayChannel, Ledger>>,
  messages: Messages,
  courier: Courier,
): Desk {
  const announced = new Map<string, Promise<Attempt>>();
  const acknowledged = new Set<string>();

  function holder(outTradeNo: string): PayChannel {
    return ledgers.WALLET_A.find(outTradeNo) === undefined ? "WALLET_B" : "WALLET_A";
  }

  function announce(payChannel: PayChannel, order: LedgerOrder): Promise<Attempt> {
    const { outTradeNo } = order.terms;
    const message = messages.payment(payChannel, order);
    const attempt = courier.announce({
      ...message,
      acknowledged: (answer) => {
        const yes = message.acknowledged(answer);
        if (yes) acknowledged.add(outTradeNo);
        return yes;
      },
    });
    announced.set(outTradeNo, attempt);
    return attempt;
  }

  return {
    balance: (payChannel) => ledgers[payChannel].balance(),
    open: (outTradeNo) =>
      ledgers[holder(outTradeNo)]
        .open(outTradeNo)
        .map(({ state }) => ({ outTradeNo, state }))
        .mapErr((refusal) => REFUSALS[refusal]),
    pay: async (outTradeNo) => {
      const payChannel = holder(outTradeNo);
      const paid = ledgers[payChannel].pay(outTradeNo);
      if (paid.isErr()) return err(REFUSALS[paid.error]);
      await (announced.get(outTradeNo) ?? announce(payChannel, paid.value));
      return ok({ outTradeNo, state: paid.value.state, notified: acknowledged.has(outTradeNo) });
    },
    notify: async (outTradeNo, times, amount) => {
      const payChannel = holder(outTradeNo);
      const order = ledgers[payChannel].find(outTradeNo);
      if (order === undefined) return err(REFUSALS.unknown);
      if (order.paidAt === null)
        return err({ status: 409, error: "Nothing to repeat: pay the order first." });
      const claimed = amount === undefined ? order : { ...order, terms: { ...order.terms, amount } };
      const message = messages.payment(payChannel, claimed);
      const attempts: Attempt[] = [];
      for (let sent = 0; sent < times; sent += 1) attempts.push(await courier.deliver(message));
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
