import { outRefundNo, reconcileOrders, runHousekeeping } from "@tillkit/core";
import { compareBillsOf, dayInChina } from "./actions/comparing-bills.js";
import { readBook, type Sale } from "./book.js";
import { checkDifferences } from "./checks/check-bills.js";
import type { Scene } from "./scene.js";
import { promise } from "./violation.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The moves of the clock between the last reconciliations. */
const PAUSES = [
  ...Array.from({ length: 14 }, () => 10 * MINUTE),
  ...Array.from({ length: 24 }, () => HOUR),
  ...Array.from({ length: 8 }, () => DAY),
];

/** Ends all faults and reconciles until nothing is open, then checks the final state. */
export async function comeToRest(scene: Scene, settle: () => Promise<void>): Promise<void> {
  const { world } = scene;
  const { stores } = world;
  world.calm = true;
  world.tell("from here on nothing fails");
  for (const wallet of Object.values(world.wallets)) wallet.setOutOfFunds(false);
  await settle();
  for (const pause of PAUSES) {
    await endRefunds(scene);
    world.advance(pause);
    scene.serve("reconcile", (ports) => reconcileOrders(ports));
    await settle();
  }
  const last = dayInChina(world.now());
  world.advance(2 * DAY);
  // Callers may have requested bills of the days before the run.
  for (let at = world.startedAt - 4 * DAY; dayInChina(at) <= last; at += DAY) {
    world.advance(MINUTE);
    compareBillsOf(scene, dayInChina(at));
    await settle();
  }
  scene.serve("keep house", (ports) => runHousekeeping(ports));
  await settle();
  for (const store of [stores.billLines, stores.billSettlements]) {
    const left = (await store.removeBefore(Number.MAX_SAFE_INTEGER, 1))._unsafeUnwrap();
    promise("no line of a bill is left behind", left === 0, () => String(left));
  }
  checkDifferences(await readBook(scene), scene.press);
  for (const sale of (await readBook(scene)).sales) checkEnd(scene, sale);
}

async function endRefunds(scene: Scene): Promise<void> {
  for (const { order, refunds } of (await readBook(scene)).sales) {
    for (const { made, there } of refunds) {
      if (there?.state !== "PROCESSING") continue;
      scene.world.wallets[order.payChannel].endRefund(order.id, outRefundNo(order, made), "CONFIRMED");
    }
  }
}

function checkEnd({ known }: Scene, { order, events, refunds }: Sale): void {
  const { bizNo, paymentStatus, id } = order;
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  promise(
    "no payment is lost",
    settled || !known.paid.has(id),
    () => `${bizNo} was paid and is ${paymentStatus}`,
  );
  promise("nothing stays open", paymentStatus !== "PENDING", () => bizNo);
  for (const { made, there } of refunds) {
    const { refundNo, status } = made;
    const tell = () => `${bizNo} ${refundNo}: ${status}, ${String(there?.state)}`;
    // An operator settled the refund, so a later change at the wallet is up to the operator.
    if (status === "SETTLED") continue;
    const ended = there === undefined || there.state === "PROCESSING" ? "FAILED" : there.state;
    promise("every refund ends as at the wallet", status === ended, tell);
    const alarmed = events.some(
      ({ type, reason }) => type === "REFUND_ABNORMAL" && reason.includes(refundNo),
    );
    promise("every refund ends or has an alarm", status !== "ABNORMAL" || alarmed, tell);
  }
}
