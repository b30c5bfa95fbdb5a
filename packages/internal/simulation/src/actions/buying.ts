import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  closeOrder,
  closeOrderInput,
  createOrder,
  getOrder,
  getOrderInput,
  listOrders,
  listOrdersInput,
  type Order,
  outRefundNo,
  parseInput,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
  syncOrder,
} from "@tillkit/core";
import { type Purchase, PURCHASES, requestFor, type Scene } from "../scene.js";
import { promise } from "../violation.js";
import { postOffice } from "./post-office.js";

/** A caller creates an order, one time in eight with another amount. */
export function create(scene: Scene): void {
  const purchase = aPurchase(scene);
  const differs = scene.world.tape.next(8) === 7;
  const request = requestFor(scene.world, purchase, differs);
  const label = `create ${purchase.bizNo}${differs ? ", differing" : ""}`;
  scene.serve(
    label,
    (ports) => createOrder(ports, scene.appId, request),
    (created) => {
      if (created.isErr()) return;
      const { bizNo, id } = created.value.order;
      const before = scene.known.created.get(bizNo) ?? id;
      promise("one order a bizNo", before === id, () => `${bizNo} was ${before} and is ${id}`);
      scene.known.created.set(bizNo, id);
    },
  );
}

/** A customer pays an order, or only opens the payment. */
export async function pay(scene: Scene): Promise<void> {
  const { world, known } = scene;
  const { bizNo, payChannel } = aPurchase(scene);
  const order = await orderOf(scene, bizNo);
  if (order === undefined || known.created.get(bizNo) !== order.id) return;
  const opensOnly = world.tape.next(4) === 3;
  try {
    if (opensOnly) world.wallets[payChannel].open(order.id);
    else world.wallets[payChannel].pay(order.id);
  } catch {
    // The order can no longer be paid, and the wallet shows this to the customer.
    return;
  }
  world.tell(`the customer ${opensOnly ? "opens" : "pays"} ${bizNo}`);
  if (opensOnly) return;
  known.paid.add(order.id);
  postOffice(scene).tellOfPayment(order);
}

/** Buys and pays all wanted purchases without faults, before the run starts. */
export async function payForAll({ world, appId, wanted, known }: Scene): Promise<void> {
  for (const purchase of wanted) {
    const { bizNo, payChannel } = purchase;
    const created = await createOrder(world.bare, appId, requestFor(world, purchase, false));
    const { id } = created._unsafeUnwrap().order;
    known.created.set(bizNo, id);
    world.wallets[payChannel].pay(id);
    known.paid.add(id);
    (await syncOrder(world.bare, appId, bizNo))._unsafeUnwrap();
    world.tell(`${bizNo} is bought and paid`);
  }
}

/** A customer reads one order, or a page of orders. */
export function read(scene: Scene): void {
  const { bizNo, customerIdentity } = aPurchase(scene);
  const { policy } = scene.world;
  // A read that began before another caller learnt of the payment may still return the older state.
  const before = new Set(scene.known.toldPaid);
  if (scene.world.tape.next(4) === 3) {
    const page = parseInput(listOrdersInput(policy), { customerIdentity })._unsafeUnwrap();
    scene.serve(
      `list ${customerIdentity}`,
      (ports) => listOrders(ports, scene.appId, page),
      (listed) => {
        if (listed.isOk()) for (const order of listed.value.items) hearOf(scene, order, before);
      },
    );
    return;
  }
  const key = parseInput(getOrderInput(policy), { bizNo, customerIdentity })._unsafeUnwrap();
  scene.serve(
    `read ${bizNo}`,
    (ports) => getOrder(ports, scene.appId, key),
    (got) => {
      if (got.isOk()) hearOf(scene, got.value, before);
    },
  );
}

/** An operator refunds a part of an order, or the rest of it. */
export function refund(scene: Scene): void {
  const { bizNo, amount } = aPurchase(scene);
  const { tape, policy } = scene.world;
  const part = [undefined, Math.ceil(amount / 2), Math.ceil(amount / 3), amount][tape.next(4)];
  // Few refund numbers, so that requests often repeat one.
  const refundNo = `r-${String(tape.next(3))}`;
  const said = {
    bizNo,
    refundNo,
    reason: "asked for",
    operator: "han",
    ...(part === undefined ? {} : { amount: part }),
  };
  const request = parseInput(refundOrderInput(policy), said)._unsafeUnwrap();
  if (tape.next(2) === 1) scene.world.wallets[channelOf(bizNo)].holdNextRefund();
  scene.serve(
    `refund ${String(part ?? "the rest")} of ${bizNo} as ${refundNo}`,
    (ports) => refundOrder(ports, scene.appId, request),
    (refunded) => {
      if (refunded.isOk() && refunded.value.status === "CONFIRMED") {
        scene.known.toldRefunded.add(`${bizNo} ${refunded.value.refundNo}`);
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
export async function endByHand(scene: Scene): Promise<void> {
  const { bizNo } = aPurchase(scene);
  const { tape, policy, stores } = scene.world;
  const refunds = (await stores.refunds.list({ appId: scene.appId, bizNo }))._unsafeUnwrap();
  const stuck = refunds.filter(({ status }) => status === "ABNORMAL" || status === "FAILED");
  const { refundNo = `r-${String(tape.next(3))}` } = stuck[tape.next(Math.max(1, stuck.length))] ?? {};
  const which = { bizNo, refundNo, operator: "kim", reason: "asked to" };
  switch (tape.next(3)) {
    case 0: {
      const said = parseInput(settleRefundInput(policy), which)._unsafeUnwrap();
      scene.serve(`settle ${which.refundNo} of ${bizNo}`, (ports) => settleRefund(ports, scene.appId, said));
      return;
    }
    case 1: {
      const to = { payTo: "merchant" };
      const said = parseInput(applyAbnormalRefundInput(policy), { ...which, ...to })._unsafeUnwrap();
      scene.serve(`pay ${which.refundNo} of ${bizNo} out to the merchant`, (ports) =>
        applyAbnormalRefund(ports, scene.appId, said),
      );
      return;
    }
    default: {
      const to = { payTo: "customer", bankType: "CMB_DEBIT", bankAccount: CARD, realName: "Li Lei" };
      const said = parseInput(applyAbnormalRefundInput(policy), { ...which, ...to })._unsafeUnwrap();
      scene.serve(`pay ${which.refundNo} of ${bizNo} out to a card`, (ports) =>
        applyAbnormalRefund(ports, scene.appId, said),
      );
    }
  }
}

/** An operator closes an order, or synchronizes it with its wallet. */
export function settle(scene: Scene): void {
  const { bizNo } = aPurchase(scene);
  const { tape, policy } = scene.world;
  if (tape.next(2) === 0) {
    scene.serve(`ask about ${bizNo}`, (ports) => syncOrder(ports, scene.appId, bizNo));
    return;
  }
  const said = parseInput(closeOrderInput(policy), {
    bizNo,
    reason: "gone",
    operator: "han",
  })._unsafeUnwrap();
  scene.serve(`close ${bizNo}`, (ports) => closeOrder(ports, scene.appId, said));
}

/** The merchant's balance at a wallet runs out, or is topped up. */
export function runOutOfFunds({ world }: Scene): void {
  const { tape, wallets } = world;
  const payChannel = tape.next(2) === 0 ? "WALLET_A" : "WALLET_B";
  const isOutOfFunds = tape.next(2) === 1;
  wallets[payChannel].setOutOfFunds(isOutOfFunds);
  world.tell(`the balance at ${payChannel} ${isOutOfFunds ? "runs out" : "is topped up"}`);
}

/** A wallet ends the refunds of an order that it had accepted, with a random outcome. */
export async function endRefund(scene: Scene): Promise<void> {
  const { world, appId } = scene;
  const { bizNo, payChannel } = aPurchase(scene);
  const order = await orderOf(scene, bizNo);
  if (order === undefined) return;
  const refunds = (await world.stores.refunds.list({ appId, bizNo }))._unsafeUnwrap();
  for (const refundNo of refunds.map((made) => outRefundNo(order, made))) {
    const ends = ["CONFIRMED", "FAILED", "ABNORMAL", "ABNORMAL"] as const;
    const end = ends[world.tape.next(ends.length)] ?? "CONFIRMED";
    // WALLET_B has no abnormal refunds.
    const state = end === "ABNORMAL" && payChannel === "WALLET_B" ? "CONFIRMED" : end;
    try {
      world.wallets[payChannel].endRefund(order.id, refundNo, state);
    } catch {
      // The wallet has no refund with this number, or has already ended it.
      continue;
    }
    world.tell(`the wallet ends refund ${refundNo}: ${state}`);
    postOffice(scene).tellOfRefund(order, refundNo);
  }
}

/** The wallet repeats its notification of an order, or an attacker sends a false one. */
export async function disturb(scene: Scene): Promise<void> {
  const { bizNo } = aPurchase(scene);
  const order = await orderOf(scene, bizNo);
  if (order !== undefined) postOffice(scene).disturb(order);
}

function hearOf({ known }: Scene, { bizNo, paymentStatus }: Order, before: ReadonlySet<string>): void {
  const settled = paymentStatus === "PAID" || paymentStatus === "REFUND";
  const holds = settled || !before.has(bizNo);
  promise("what was told stays true", holds, () => `${bizNo} was paid and is ${paymentStatus}`);
  if (settled) known.toldPaid.add(bizNo);
}

/** Chooses a purchase, half of the time the last one, so that many actions hit the same order. */
function aPurchase(scene: Scene): Purchase {
  const { world, wanted, busyWith } = scene;
  const again = world.tape.next(2) === 1 ? busyWith : undefined;
  const purchase = again ?? wanted[world.tape.next(wanted.length)] ?? neverSold();
  scene.busyWith = purchase;
  return purchase;
}

function neverSold(): never {
  throw new Error("Nothing is sold under this number.");
}

function channelOf(bizNo: string) {
  return PURCHASES.find((purchase) => purchase.bizNo === bizNo)?.payChannel ?? neverSold();
}

async function orderOf({ world, appId }: Scene, bizNo: string): Promise<Order | undefined> {
  return (await world.stores.orders.find({ appId, bizNo }))._unsafeUnwrap();
}
