import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  createOrder,
  getOrder,
  getOrderInput,
  listOrders,
  listOrdersInput,
  type Order,
  orThrow,
  parseInput,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
  syncOrder,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { outRefundNo } from "@tillkit/core/ports";
import { type PlannedPurchase, PURCHASES, requestFor, type Scenario } from "../scenario.js";
import { invariant } from "../violation.js";
import { createNotificationTransport } from "./notification-transport.js";

/** A caller creates an order, one time in eight with another amount. */
export function create(scenario: Scenario): void {
  const purchase = aPurchase(scenario);
  const differs = scenario.simulation.choices.next(8) === 7;
  const request = requestFor(scenario.simulation, purchase, differs);
  const label = `create ${purchase.bizNo}${differs ? ", differing" : ""}`;
  scenario.serve(
    label,
    (ports) => createOrder(ports, scenario.appId, request),
    (created) => {
      if (created.isErr()) return;
      const { bizNo, id } = created.value.order;
      const before = scenario.known.created.get(bizNo) ?? id;
      invariant("one order per bizNo", before === id, () => `${bizNo} was ${before} and is ${id}`);
      scenario.known.created.set(bizNo, id);
    },
  );
}

/** A customer pays an order, or only opens the payment. */
export async function pay(scenario: Scenario): Promise<void> {
  const { simulation, known } = scenario;
  const { bizNo, payChannel } = aPurchase(scenario);
  const order = await orderOf(scenario, bizNo);
  if (order === undefined || known.created.get(bizNo) !== order.id) return;
  const opensOnly = simulation.choices.next(4) === 3;
  try {
    if (opensOnly) simulation.wallets[payChannel].open(order.id);
    else simulation.wallets[payChannel].pay(order.id);
  } catch {
    // The order can no longer be paid, and the wallet shows this to the customer.
    return;
  }
  simulation.log(`the customer ${opensOnly ? "opens" : "pays"} ${bizNo}`);
  if (opensOnly) return;
  known.paid.add(order.id);
  createNotificationTransport(scenario).notifyPayment(order);
}

/** Buys and pays all wanted purchases without faults, before the run starts. */
export async function payForAll({ simulation, appId, wanted, known }: Scenario): Promise<void> {
  for (const purchase of wanted) {
    const { bizNo, payChannel } = purchase;
    const created = await createOrder(simulation.bare, appId, requestFor(simulation, purchase, false));
    const { id } = orThrow(created).order;
    known.created.set(bizNo, id);
    simulation.wallets[payChannel].pay(id);
    known.paid.add(id);
    await orThrow(syncOrder(simulation.bare, appId, bizNo));
    simulation.log(`${bizNo} is created and paid`);
  }
}

/** A customer reads one order, or a page of orders. */
export function read(scenario: Scenario): void {
  const { bizNo, customerIdentity } = aPurchase(scenario);
  const { policy } = scenario.simulation;
  // A read that began before another caller learnt of the payment may still return the older state.
  const before = new Set(scenario.known.notifiedPaid);
  if (scenario.simulation.choices.next(4) === 3) {
    const page = orThrow(parseInput(listOrdersInput(policy), { customerIdentity }));
    scenario.serve(
      `list ${customerIdentity}`,
      (ports) => listOrders(ports, scenario.appId, page),
      (listed) => {
        if (listed.isOk()) for (const order of listed.value.items) rememberOrder(scenario, order, before);
      },
    );
    return;
  }
  const key = orThrow(parseInput(getOrderInput(policy), { bizNo, customerIdentity }));
  scenario.serve(
    `read ${bizNo}`,
    (ports) => getOrder(ports, scenario.appId, key),
    (got) => {
      if (got.isOk()) rememberOrder(scenario, got.value, before);
    },
  );
}

/** An operator refunds a part of an order, or the rest of it. */
export function refund(scenario: Scenario): void {
  const { bizNo, amount } = aPurchase(scenario);
  const { choices, policy } = scenario.simulation;
  const part = [undefined, Math.ceil(amount / 2), Math.ceil(amount / 3), amount][choices.next(4)];
  // Few refund numbers, so that requests often repeat one.
  const refundNo = `r-${String(choices.next(3))}`;
  const parameters = {
    bizNo,
    refundNo,
    reason: "asked for",
    operator: "han",
    ...(part === undefined ? {} : { amount: part }),
  };
  const request = orThrow(parseInput(refundOrderInput(policy), parameters));
  if (choices.next(2) === 1) scenario.simulation.wallets[channelOf(bizNo)].holdNextRefund();
  scenario.serve(
    `refund ${String(part ?? "the rest")} of ${bizNo} as ${refundNo}`,
    (ports) => refundOrder(ports, scenario.appId, request),
    (refunded) => {
      if (refunded.isOk() && refunded.value.status === "CONFIRMED") {
        scenario.known.notifiedRefunded.add(`${bizNo} ${refunded.value.refundNo}`);
      }
    },
  );
}

/** A card number that no store may contain. */
export const CARD = "6225880137395123";

/**
 * An operator handles a refund that does not end by itself.
 *
 * The operator redirects the money to the merchant or to a card, or records that the customer was
 * paid by other means.
 */
export async function endByHand(scenario: Scenario): Promise<void> {
  const { bizNo } = aPurchase(scenario);
  const { choices, policy, stores } = scenario.simulation;
  const refunds = await orThrow(stores.refunds.list({ appId: scenario.appId, bizNo }));
  const stuck = refunds.filter(({ status }) => status === "ABNORMAL" || status === "FAILED");
  const { refundNo = `r-${String(choices.next(3))}` } = stuck[choices.next(Math.max(1, stuck.length))] ?? {};
  const which = { bizNo, refundNo, operator: "kim", reason: "asked to" };
  switch (choices.next(3)) {
    case 0: {
      const parameters = orThrow(parseInput(settleRefundInput(policy), which));
      scenario.serve(`settle ${which.refundNo} of ${bizNo}`, (ports) =>
        settleRefund(ports, scenario.appId, parameters),
      );
      return;
    }
    case 1: {
      const to = { payTo: "merchant" };
      const parameters = orThrow(parseInput(applyAbnormalRefundInput(policy), { ...which, ...to }));
      scenario.serve(`pay ${which.refundNo} of ${bizNo} out to the merchant`, (ports) =>
        applyAbnormalRefund(ports, scenario.appId, parameters),
      );
      return;
    }
    default: {
      const to = { payTo: "customer", bankType: "CMB_DEBIT", bankAccount: CARD, realName: "Li Lei" };
      const parameters = orThrow(parseInput(applyAbnormalRefundInput(policy), { ...which, ...to }));
      scenario.serve(`pay ${which.refundNo} of ${bizNo} out to a card`, (ports) =>
        applyAbnormalRefund(ports, scenario.appId, parameters),
      );
    }
  }
}

/** An operator closes an order, or synchronizes it with its wallet. */
export function settle(scenario: Scenario): void {
  const { bizNo } = aPurchase(scenario);
  const { choices, policy } = scenario.simulation;
  if (choices.next(2) === 0) {
    scenario.serve(`query ${bizNo}`, (ports) => syncOrder(ports, scenario.appId, bizNo));
    return;
  }
  const parameters = orThrow(
    parseInput(closeOrderInput(policy), {
      bizNo,
      reason: "gone",
      operator: "han",
    }),
  );
  scenario.serve(`close ${bizNo}`, (ports) => closeOrder(ports, scenario.appId, parameters));
}

/** The merchant's balance at a wallet runs out, or is topped up. */
export function runOutOfFunds({ simulation }: Scenario): void {
  const { choices, wallets } = simulation;
  const payChannel = choices.next(2) === 0 ? "WALLET_A" : "WALLET_B";
  const isOutOfFunds = choices.next(2) === 1;
  wallets[payChannel].setOutOfFunds(isOutOfFunds);
  simulation.log(`the balance at ${payChannel} ${isOutOfFunds ? "runs out" : "is topped up"}`);
}

/** A wallet ends the refunds of an order that it had accepted, with a random outcome. */
export async function endRefund(scenario: Scenario): Promise<void> {
  const { simulation, appId } = scenario;
  const { bizNo, payChannel } = aPurchase(scenario);
  const order = await orderOf(scenario, bizNo);
  if (order === undefined) return;
  const refunds = await orThrow(simulation.stores.refunds.list({ appId, bizNo }));
  for (const refundNo of refunds.map((made) => outRefundNo(order, made))) {
    const ends = ["CONFIRMED", "FAILED", "ABNORMAL", "ABNORMAL"] as const;
    const end = ends[simulation.choices.next(ends.length)] ?? "CONFIRMED";
    // WALLET_B has no abnormal refunds.
    const state = end === "ABNORMAL" && payChannel === "WALLET_B" ? "CONFIRMED" : end;
    try {
      simulation.wallets[payChannel].endRefund(order.id, refundNo, state);
    } catch {
      // The wallet has no refund with this number, or has already ended it.
      continue;
    }
    simulation.log(`the wallet ends refund ${refundNo}: ${state}`);
    createNotificationTransport(scenario).notifyRefund(order, refundNo);
  }
}

/** The wallet repeats its notification of an order, or an attacker sends a false one. */
export async function disruptNotifications(scenario: Scenario): Promise<void> {
  const { bizNo } = aPurchase(scenario);
  const order = await orderOf(scenario, bizNo);
  if (order !== undefined) createNotificationTransport(scenario).disrupt(order);
}

function rememberOrder(
  { known }: Scenario,
  { bizNo, paymentStatus }: Order,
  before: ReadonlySet<string>,
): void {
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  const holds = settled || !before.has(bizNo);
  invariant("a reported payment stays", holds, () => `${bizNo} was paid and is ${paymentStatus}`);
  if (settled) known.notifiedPaid.add(bizNo);
}

/** Chooses a purchase, half of the time the last one, so that many actions hit the same order. */
function aPurchase(scenario: Scenario): PlannedPurchase {
  const { simulation, wanted, busyWith } = scenario;
  const again = simulation.choices.next(2) === 1 ? busyWith : undefined;
  const purchase = again ?? wanted[simulation.choices.next(wanted.length)] ?? neverSold();
  scenario.busyWith = purchase;
  return purchase;
}

function neverSold(): never {
  throw new Error("There is no purchase with this number.");
}

function channelOf(bizNo: string) {
  return PURCHASES.find((purchase) => purchase.bizNo === bizNo)?.payChannel ?? neverSold();
}

async function orderOf({ simulation, appId }: Scenario, bizNo: string): Promise<Order | undefined> {
  return await orThrow(simulation.stores.orders.find({ appId, bizNo }));
}
