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

/** A caller asks for an order; one time in eight with another amount than the last time. */
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

/** A customer pays what they were given, or only opens it. */
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
    // Not payable, or not any more: the wallet tells the customer so.
    return;
  }
  world.tell(`the customer ${opensOnly ? "opens" : "pays"} ${bizNo}`);
  if (opensOnly) return;
  known.paid.add(order.id);
  postOffice(scene).tellOfPayment(order);
}

/** Everything that is wanted is bought and paid, before anything goes wrong. */
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

/** Somebody reads an order, or a page of them. */
export function read(scene: Scene): void {
  const { bizNo, customerIdentity } = aPurchase(scene);
  const { policy } = scene.world;
  // A read that began before somebody else was told may still come back with what was so then.
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

/** An operator sends money back: a part, or all that is left. */
export function refund(scene: Scene): void {
  const { bizNo, amount } = aPurchase(scene);
  const { tape, policy } = scene.world;
  const part = [undefined, Math.ceil(amount / 2), Math.ceil(amount / 3), amount][tape.next(4)];
  // Few numbers, so that what was asked for is asked for again.
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

/** The number of a card that no store may hold. */
export const CARD = "6225880137395123";

/**
 * An operator sees to a refund that does not end by itself: pays it out to a card, or pays the
 * customer by other means.
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

/** An operator closes an order, or asks its wallet about it. */
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

/** A merchant's balance runs out at a wallet, or is topped up. */
export function runOutOfFunds({ world }: Scene): void {
  const { tape, wallets } = world;
  const payChannel = tape.next(2) === 0 ? "WALLET_A" : "WALLET_B";
  const isOutOfFunds = tape.next(2) === 1;
  wallets[payChannel].setOutOfFunds(isOutOfFunds);
  world.tell(`the balance at ${payChannel} ${isOutOfFunds ? "runs out" : "is topped up"}`);
}

/**
 * A wallet comes to the end of a refund it had taken, or cannot bring its money to the customer.
 */
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
      // The wallet has none of this number, or has ended it.
      continue;
    }
    world.tell(`the wallet ends refund ${refundNo}: ${state}`);
    postOffice(scene).tellOfRefund(order, refundNo);
  }
}

/** The wallet's word on an order or a refund comes once more, or somebody sends a false one. */
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

/** Something that is sold: half of the time what was asked for last, so that much happens to one order. */
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
