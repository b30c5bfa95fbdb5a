import { type Order, type RawNotification, receiveNotification } from "@tillkit/core";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

/** Delivers the wallets' notifications: late, twice, out of order or not at all. */
export interface NotificationTransport {
  notifyPayment(order: Order): void;
  notifyRefund(order: Order, refundNo: string): void;
  /** Repeats the wallet's last notification of the order, or sends a false one. */
  disrupt(order: Order): void;
}

const SECOND = 1_000;
const HOUR = 3_600_000;
/**
 * The possible delays of a notification, in milliseconds. Some arrive after the order is closed.
 */
const DELAYS = [0, 2 * SECOND, 240 * SECOND, HOUR, 3 * HOUR, 23 * HOUR] as const;
/** The largest number of attempts at one notification. */
const TRIES = 4;

/** Creates the notification transport of a scenario. */
export function createNotificationTransport(scenario: Scenario): NotificationTransport {
  const { simulation } = scenario;
  const { choices, events } = simulation;

  const send = (order: Order, label: string, write: () => RawNotification, tries: number): void => {
    const delay = DELAYS[choices.next(DELAYS.length)] ?? 0;
    // Written when it is sent, because a wallet signs the time of each attempt.
    events.add({
      label: `${label} of ${order.bizNo}`,
      dueAt: simulation.now() + delay,
      run: () => deliver(order, label, write, tries),
    });
  };
  const deliver = (order: Order, label: string, write: () => RawNotification, tries: number): void => {
    const { payChannel, payToolId, notifyUrl } = order;
    const address = { payChannel, payToolId, orderRef: notifyUrl.slice(notifyUrl.lastIndexOf("/") + 1) };
    scenario.serve(
      `take ${label} of ${order.bizNo}`,
      (ports) => receiveNotification(ports, address, write()),
      (taken) => {
        if (taken.isOk()) acknowledged(order, label);
        else if (tries > 1) send(order, label, write, tries - 1);
      },
    );
  };
  const several = (order: Order, label: string, write: () => RawNotification): void => {
    const copies = simulation.deliveryRates[choices.next(simulation.deliveryRates.length)] ?? 1;
    for (let copy = 0; copy < copies; copy += 1) send(order, label, write, TRIES);
  };
  const wallet = (order: Order) => simulation.wallets[order.payChannel];
  const acknowledged = (order: Order, label: string): void => {
    // After an acknowledgement the wallet does not send the true notification any more.
    invariant("no forgery is acknowledged", label !== "forgery", () => order.bizNo);
    if (label === "payment") scenario.known.notifiedPaid.add(order.bizNo);
  };

  return {
    notifyPayment: (order) => several(order, "payment", () => wallet(order).notificationFor(order.id)),
    notifyRefund: (order, refundNo) =>
      several(order, `refund ${refundNo}`, () => wallet(order).refundNotificationFor(order.id, refundNo)),
    disrupt: (order) => {
      const falsities = [
        {},
        { amount: order.amount + 1 },
        { merchantId: "somebody" },
        { walletAppId: "another" },
        { currency: "USD" },
      ];
      const changes = falsities[choices.next(falsities.length)] ?? {};
      const claim = choices.next(2) === 0 ? {} : { state: "PAID" as const, paidAt: simulation.now() };
      const isFalse = Object.keys(changes).length > 0;
      const forged = !isFalse && Object.keys(claim).length > 0;
      const write = (): RawNotification => {
        const note = wallet(order).notificationFor(order.id, isFalse ? { ...claim, ...changes } : {});
        return forged ? tampered(note) : note;
      };
      try {
        write();
      } catch {
        // The wallet does not know the order.
        return;
      }
      send(order, isFalse || forged ? "forgery" : "repetition", write, 1);
    },
  };
}

function tampered({ headers, body }: RawNotification): RawNotification {
  const text = new TextDecoder().decode(body).replace('"OPEN"', '"PAID"').replace('"CLOSED"', '"PAID"');
  return { headers, body: new TextEncoder().encode(`${text} `) };
}
