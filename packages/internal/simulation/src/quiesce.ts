import { orThrow, reconcileOrders, runHousekeeping } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { deliverToAll, replayParkedOf } from "./actions/delivering-events.js";
import { HANDLERS } from "./event-handlers.js";
import { compareBillsOf, dayInChina } from "./actions/comparing-bills.js";
import { readSnapshot, type Sale } from "./snapshot.js";
import { checkDifferences } from "./checks/check-bills.js";
import { checkAllDelivered } from "./checks/check-events.js";
import type { Scenario } from "./scenario.js";
import { invariant } from "./violation.js";

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
export async function quiesce(scenario: Scenario, settle: () => Promise<void>): Promise<void> {
  const { simulation } = scenario;
  const { stores } = simulation;
  simulation.calm = true;
  simulation.log("faults have ended");
  for (const wallet of Object.values(simulation.wallets)) wallet.setOutOfFunds(false);
  await settle();
  for (const pause of PAUSES) {
    await endRefunds(scenario);
    simulation.advance(pause);
    scenario.serve("reconcile", (ports) => reconcileOrders(ports));
    await settle();
    deliverToAll(scenario);
    await settle();
  }
  const last = dayInChina(simulation.now());
  simulation.advance(2 * DAY);
  // Callers may have requested bills of the days before the run.
  for (let at = simulation.startedAt - 4 * DAY; dayInChina(at) <= last; at += DAY) {
    simulation.advance(MINUTE);
    compareBillsOf(scenario, dayInChina(at));
    await settle();
  }
  scenario.serve("keep house", (ports) => runHousekeeping(ports));
  await settle();
  for (const store of [stores.billLines, stores.billSettlements]) {
    const left = await orThrow(store.removeBefore(Number.MAX_SAFE_INTEGER, 1));
    invariant("no line of a bill stays staged", left === 0, () => String(left));
  }
  checkDifferences(await readSnapshot(scenario), scenario.billGenerator);
  // The comparison of the bills can have changed orders.
  for (const { name } of HANDLERS) {
    replayParkedOf(scenario, name);
    await settle();
  }
  deliverToAll(scenario);
  await settle();
  checkAllDelivered(scenario, await readSnapshot(scenario));
  for (const sale of (await readSnapshot(scenario)).sales) checkEnd(scenario, sale);
}

async function endRefunds(scenario: Scenario): Promise<void> {
  for (const { order, refunds } of (await readSnapshot(scenario)).sales) {
    for (const { made, there } of refunds) {
      if (there?.state !== "PROCESSING") continue;
      scenario.simulation.wallets[order.payChannel].endRefund(
        order.id,
        outRefundNo(order, made),
        "CONFIRMED",
      );
    }
  }
}

function checkEnd({ known }: Scenario, { order, events, refunds }: Sale): void {
  const { bizNo, paymentStatus, id } = order;
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  invariant(
    "no payment is lost",
    settled || !known.paid.has(id),
    () => `${bizNo} was paid and is ${paymentStatus}`,
  );
  invariant("nothing stays open", paymentStatus !== "PENDING", () => bizNo);
  for (const { made, there } of refunds) {
    const { refundNo, status } = made;
    const describeState = () => `${bizNo} ${refundNo}: ${status}, ${String(there?.state)}`;
    // An operator settled the refund, so a later change at the wallet is up to the operator.
    if (status === "SETTLED") continue;
    const ended = there === undefined || there.state === "PROCESSING" ? "FAILED" : there.state;
    invariant("every refund ends with the wallet's outcome", status === ended, describeState);
    const alarmed = events.some((event) => event.type === "REFUND_ABNORMAL" && event.refundNo === refundNo);
    invariant("every refund ends or has an alarm", status !== "ABNORMAL" || alarmed, describeState);
  }
}
