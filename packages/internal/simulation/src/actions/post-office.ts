import { type Order, type RawNotification, takeNotification } from "@tillkit/core";
import type { Scene } from "../scene.js";
import { promise } from "../violation.js";

/** Carries the wallets' notifications: late, twice, out of order or not at all. */
export interface PostOffice {
  tellOfPayment(order: Order): void;
  tellOfRefund(order: Order, refundNo: string): void;
  /** Repeats what the wallet last said of the order, or sends what it never said. */
  disturb(order: Order): void;
}

const SECOND = 1_000;
const HOUR = 3_600_000;
/** How long a notification may take, in milliseconds: some come when the order has been closed. */
const DELAYS = [0, 2 * SECOND, 240 * SECOND, HOUR, 3 * HOUR, 23 * HOUR] as const;
/** How often a wallet tries until it is acknowledged. */
const TRIES = 4;

/** The post office of a scene. */
export function postOffice(scene: Scene): PostOffice {
  const { world } = scene;
  const { tape, events } = world;

  const send = (order: Order, label: string, write: () => RawNotification, tries: number): void => {
    const delay = DELAYS[tape.next(DELAYS.length)] ?? 0;
    // Written when it is sent: a wallet signs the time of each try.
    events.add({
      label: `${label} of ${order.bizNo}`,
      dueAt: world.now() + delay,
      run: () => deliver(order, label, write, tries),
    });
  };
  const deliver = (order: Order, label: string, write: () => RawNotification, tries: number): void => {
    const { payChannel, payToolId, notifyUrl } = order;
    const address = { payChannel, payToolId, orderRef: notifyUrl.slice(notifyUrl.lastIndexOf("/") + 1) };
    scene.serve(
      `take ${label} of ${order.bizNo}`,
      (ports) => takeNotification(ports, address, write()),
      (taken) => {
        if (taken.isOk()) acknowledged(order, label);
        else if (tries > 1) send(order, label, write, tries - 1);
      },
    );
  };
  const several = (order: Order, label: string, write: () => RawNotification): void => {
    const copies = world.mail[tape.next(world.mail.length)] ?? 1;
    for (let copy = 0; copy < copies; copy += 1) send(order, label, write, TRIES);
  };
  const wallet = (order: Order) => world.wallets[order.payChannel];
  const acknowledged = (order: Order, label: string): void => {
    // The wallet would never send the truth again.
    promise("no falsity is acknowledged", label !== "falsity", () => order.bizNo);
    if (label === "payment") scene.known.toldPaid.add(order.bizNo);
  };

  return {
    tellOfPayment: (order) => several(order, "payment", () => wallet(order).notificationFor(order.id)),
    tellOfRefund: (order, refundNo) =>
      several(order, `refund ${refundNo}`, () => wallet(order).refundNotificationFor(order.id, refundNo)),
    disturb: (order) => {
      const falsities = [
        {},
        { amount: order.amount + 1 },
        { merchantId: "somebody" },
        { walletAppId: "another" },
        { currency: "USD" },
      ];
      const changes = falsities[tape.next(falsities.length)] ?? {};
      const claim = tape.next(2) === 0 ? {} : { state: "PAID" as const, paidAt: world.now() };
      const isFalse = Object.keys(changes).length > 0;
      const forged = !isFalse && Object.keys(claim).length > 0;
      const write = (): RawNotification => {
        const note = wallet(order).notificationFor(order.id, isFalse ? { ...claim, ...changes } : {});
        return forged ? tampered(note) : note;
      };
      try {
        write();
      } catch {
        // The wallet has not heard of it.
        return;
      }
      send(order, isFalse || forged ? "falsity" : "repetition", write, 1);
    },
  };
}

function tampered({ headers, body }: RawNotification): RawNotification {
  const text = new TextDecoder().decode(body).replace('"OPEN"', '"PAID"').replace('"CLOSED"', '"PAID"');
  return { headers, body: new TextEncoder().encode(`${text} `) };
}
