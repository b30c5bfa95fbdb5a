import { outRefundNo, reconcileOrders, runHousekeeping } from "@tillkit/core";
import { refundAtWallet } from "./checks/check-orders.js";
import { PURCHASES, type Scene } from "./scene.js";
import { promise } from "./violation.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far the clock moves between the last rounds of asking, beyond the last moment of the schedule. */
const PAUSES = [
  ...Array.from({ length: 14 }, () => 10 * MINUTE),
  ...Array.from({ length: 24 }, () => HOUR),
  ...Array.from({ length: 8 }, () => DAY),
];

/** Lets everything come to its end: no more faults, and processes that ask the wallets until nothing is open. */
export async function comeToRest(scene: Scene, settle: () => Promise<void>): Promise<void> {
  const { world } = scene;
  world.calm = true;
  world.tell("from here on nothing fails");
  await settle();
  for (const pause of PAUSES) {
    for (const { bizNo, payChannel } of PURCHASES) await endRefunds(scene, bizNo, payChannel);
    world.advance(pause);
    scene.serve("reconcile", (ports) => reconcileOrders(ports));
    await settle();
  }
  scene.serve("keep house", (ports) => runHousekeeping(ports));
  await settle();
  for (const { bizNo, payChannel } of PURCHASES) await checkEnd(scene, bizNo, payChannel);
}

async function endRefunds({ world, appId }: Scene, bizNo: string, payChannel: "WALLET_A" | "WALLET_B") {
  const order = (await world.stores.orders.find({ appId, bizNo }))._unsafeUnwrap();
  if (order === undefined) return;
  for (const made of (await world.stores.refunds.list({ appId, bizNo }))._unsafeUnwrap()) {
    const there = await refundAtWallet(world, payChannel, order, made);
    if (there?.state !== "PROCESSING") continue;
    world.wallets[payChannel].endRefund(order.id, outRefundNo(order, made), "CONFIRMED");
  }
}

async function checkEnd({ world, appId, known }: Scene, bizNo: string, payChannel: "WALLET_A" | "WALLET_B") {
  const order = (await world.stores.orders.find({ appId, bizNo }))._unsafeUnwrap();
  if (order === undefined) return;
  const { paymentStatus, id } = order;
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  promise(
    "no payment is lost",
    settled || !known.paid.has(id),
    () => `${bizNo} was paid and is ${paymentStatus}`,
  );
  promise("nothing stays open", paymentStatus !== "PENDING", () => bizNo);
  for (const made of (await world.stores.refunds.list({ appId, bizNo }))._unsafeUnwrap()) {
    const { refundNo, status } = made;
    const there = await refundAtWallet(world, payChannel, order, made);
    const agree = status === (there?.state === "CONFIRMED" ? "CONFIRMED" : "FAILED");
    promise(
      "every refund ends as at the wallet",
      agree,
      () => `${bizNo} ${refundNo}: ${status}, ${String(there?.state)}`,
    );
  }
}
