import type { PayChannel, PayPayload } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { PayloadVerifier, Payload } from "./payload-verifier.js";
import type { Attempt, NotificationDispatcher, SentNotification } from "./notification-dispatcher.js";
import type { Forgery } from "./faults.js";
import type { CustomerRefusal, Ledger, PaymentTerms } from "./ledger.js";
import type { LedgerOrder, PayAttempt } from "./ledger-order.js";
import type { Messages } from "./messages.js";
import { newPendingNotification } from "./pending-notification.js";
import type { ControlRefusal } from "./control-refusal.js";
import { unknownOrder } from "./unknown-order.js";

/** An order after the customer opened its payment. */
export interface CustomerOutcome {
  readonly outTradeNo: string;
  readonly state: LedgerOrder["state"];
}

/** An order after the customer paid it. */
export interface PaidOutcome extends CustomerOutcome {
  /** Whether the service acknowledged the notification of the payment. */
  readonly notified: boolean;
  /** Why the service has not acknowledged it. Absent if it has. */
  readonly why?: string;
  /** Milliseconds of the sandbox's clock until the next attempt. Absent if there is none. */
  readonly nextAttemptInMs?: number;
}

/** The outcome of repeated notifications: how many were sent and how many were acknowledged. */
export interface NotifiedOutcome {
  readonly outTradeNo: string;
  readonly delivered: number;
  readonly acknowledged: number;
  /** Why the last notification without an acknowledgement has none. Absent if all have one. */
  readonly why?: string;
}

/** The order at the wallet. `amount` is cents, `prepayCount` counts the prepayments handed out. */
export interface KnownOrder extends CustomerOutcome {
  readonly amount: number;
  readonly prepayCount: number;
}

/** The `outTradeNo` of an order whose payload the customer has, or the payload itself. */
export type PresentedPayment = string | Payload | PayPayload;

/** Options of repeated notifications. */
export interface NotifyOptions {
  readonly times: number;
  /** Cents. Reports this amount instead of the paid one, with a valid signature. */
  readonly amount?: number;
  /** Sends this forgery instead of a genuine notification. */
  readonly as?: Forgery;
}

/**
 * Acts as the customers and as the staff of the wallets, for programs and the control interface.
 */
export interface SimulatorControls {
  /** Opens the payment without paying. From then on the trade exists at Alipay. */
  open(shown: PresentedPayment): Result<CustomerOutcome, ControlRefusal>;
  /**
   * Pays the order. Resolves after the first notification attempt.
   *
   * Paying a paid order changes nothing. With `late` the payment succeeds although the order is
   * expired or closed.
   */
  pay(shown: PresentedPayment, options?: PaymentTerms): Promise<Result<PaidOutcome, ControlRefusal>>;
  /**
   * Stores a payload that the merchant signed for Alipay, so that `open` and `pay` work by number.
   */
  receive(shown: Payload): Result<CustomerOutcome, ControlRefusal>;
  /** Begins or fails an attempt to pay at WeChat Pay, without paying. */
  attempt(shown: PresentedPayment, attempt: PayAttempt): Result<CustomerOutcome, ControlRefusal>;
  /**
   * Ends the time for refunds of a paid trade at Alipay, which becomes TRADE_FINISHED.
   *
   * Resolves after the first notification attempt.
   */
  finish(outTradeNo: string): Promise<Result<CustomerOutcome, ControlRefusal>>;
  /** Sends the payment notification of a paid order again. */
  notify(outTradeNo: string, options: NotifyOptions): Promise<Result<NotifiedOutcome, ControlRefusal>>;
  order(outTradeNo: string): Result<KnownOrder, ControlRefusal>;
  /** The last 1000 notifications that were sent, oldest first, of one order or of all orders. */
  sent(outTradeNo?: string): readonly SentNotification[];
  /** Cents that customers paid at the wallet, minus refunds. The bills must add up to this sum. */
  balance(payChannel: PayChannel): number;
}

const REFUSALS = {
  closed: { status: 409, message: "The order is closed at the wallet: create one with a new bizNo." },
  expired: { status: 409, message: "The order has expired: create one with a new bizNo." },
} as const satisfies Record<Exclude<CustomerRefusal, "unknown">, ControlRefusal>;

const NO_ATTEMPTS = {
  status: 409,
  message: "WALLET_B shows no attempts to pay: take an order of WALLET_A.",
} as const satisfies ControlRefusal;
const NO_TRADE = {
  status: 404,
  message: "WALLET_B knows no trade with this outTradeNo: only its trades finish.",
} as const satisfies ControlRefusal;
const NOT_PAID = {
  status: 409,
  message: "Nothing to finish: pay the order first.",
} as const satisfies ControlRefusal;

/** The dependencies of the simulator controls. */
export interface SimulatorControlsOptions {
  readonly ledgers: Readonly<Record<PayChannel, Ledger>>;
  readonly payloadVerifier: PayloadVerifier;
  readonly messages: Messages;
  readonly dispatcher: NotificationDispatcher;
  readonly clock: { now(): number };
  /** Reports that a trade takes no more refunds. */
  readonly finished: (order: LedgerOrder) => Promise<void>;
}

/** Creates the simulator controls over the ledgers of both wallets. */
export function createSimulatorControls({
  ledgers,
  payloadVerifier,
  messages,
  dispatcher,
  clock,
  finished,
}: SimulatorControlsOptions): SimulatorControls {
  function holder(outTradeNo: string): PayChannel {
    return ledgers.WALLET_A.find(outTradeNo) === undefined ? "WALLET_B" : "WALLET_A";
  }

  function refusalOf(refusal: CustomerRefusal, outTradeNo: string): ControlRefusal {
    return refusal === "unknown" ? unknownOrder(ledgers, outTradeNo) : REFUSALS[refusal];
  }

  function admitted(shown: PresentedPayment): Result<string, ControlRefusal> {
    return typeof shown === "string" ? ok(shown) : payloadVerifier.admit({ ...shown }).mapErr(refused);
  }

  return {
    balance: (payChannel) => ledgers[payChannel].balance(),
    sent: (outTradeNo) =>
      dispatcher.sent().filter((one) => outTradeNo === undefined || one.outTradeNo === outTradeNo),
    receive: (shown) =>
      payloadVerifier
        .receive(shown)
        .map((outTradeNo) => ({ outTradeNo, state: ledgers.WALLET_B.find(outTradeNo)?.state ?? "NOTPAY" }))
        .mapErr(refused),
    open: (shown) =>
      admitted(shown).andThen((outTradeNo) =>
        ledgers[holder(outTradeNo)]
          .open(outTradeNo)
          .map(({ state }) => ({ outTradeNo, state }))
          .mapErr((refusal) => refusalOf(refusal, outTradeNo)),
      ),
    attempt: (shown, attempt) =>
      admitted(shown).andThen((outTradeNo) =>
        holder(outTradeNo) === "WALLET_B"
          ? err(NO_ATTEMPTS)
          : ledgers.WALLET_A.attempt(outTradeNo, attempt)
              .map(({ state }) => ({ outTradeNo, state }))
              .mapErr((refusal) => refusalOf(refusal, outTradeNo)),
      ),
    finish: async (outTradeNo) => {
      if (ledgers.WALLET_B.find(outTradeNo) === undefined) return err(NO_TRADE);
      const ended = ledgers.WALLET_B.finish(outTradeNo);
      if (ended === undefined) return err(NOT_PAID);
      await finished(ended);
      return ok({ outTradeNo, state: ended.state });
    },
    pay: async (shown, how = {}) => {
      const admission = admitted(shown);
      if (admission.isErr()) return err(admission.error);
      const outTradeNo = admission.value;
      const payChannel = holder(outTradeNo);
      const paid = ledgers[payChannel].pay(outTradeNo, how);
      if (paid.isErr()) return err(refusalOf(paid.error, outTradeNo));
      const notification = newPendingNotification(payChannel, "payment", outTradeNo, { dueAt: clock.now() });
      const { state } = paid.value;
      if (paid.value.terms.notifyUrl === "")
        return ok({ outTradeNo, state, notified: false, why: "the order has no notify_url" });
      await dispatcher.announce(notification);
      return ok({ outTradeNo, state, ...dispatcher.progress(notification.id) });
    },
    notify: async (outTradeNo, { times, amount, as }) => {
      const payChannel = holder(outTradeNo);
      const order = ledgers[payChannel].find(outTradeNo);
      if (order === undefined) return err(unknownOrder(ledgers, outTradeNo));
      if (order.paidAt === null)
        return err({ status: 409, message: "Nothing to repeat: pay the order first." });
      if (as === "probe" && payChannel === "WALLET_B")
        return err({ status: 409, message: "WALLET_B sends no probes: take an order of WALLET_A." });
      const claimed = amount === undefined ? order : { ...order, terms: { ...order.terms, amount } };
      const message = messages.payment(payChannel, claimed);
      const attempts: Attempt[] = [];
      for (let sent = 0; sent < times; sent += 1)
        attempts.push(await dispatcher.deliver(message, as ?? null));
      const why = attempts.flatMap((attempt) => attempt.why ?? []).at(-1);
      return ok({
        outTradeNo,
        delivered: attempts.filter((attempt) => attempt.delivered).length,
        acknowledged: attempts.filter((attempt) => attempt.acknowledged).length,
        ...(why === undefined ? {} : { why }),
      });
    },
    order: (outTradeNo) => {
      const order = ledgers[holder(outTradeNo)].find(outTradeNo);
      if (order === undefined) return err(unknownOrder(ledgers, outTradeNo));
      const { terms, state, prepayments } = order;
      return ok({ outTradeNo, state, amount: terms.amount, prepayCount: prepayments.length });
    },
  };
}

function refused(why: string): ControlRefusal {
  return { status: 422, message: `The wallet refuses the payload: ${why}.` };
}
