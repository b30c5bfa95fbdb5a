import { caseCount, expectOk } from "@tillkit/contract-tests";
import {
  findTimelineBreak,
  type Order,
  orThrow,
  type PayChannel,
  type PaySource,
  type Refund,
} from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { expect, it } from "vitest";
import {
  close,
  DAY,
  storedOrder,
  HOUR,
  MINUTE,
  openFixture,
  order,
  advanceInSteps,
  refund,
  SECOND,
  type TestFixture,
} from "../testing/fixture.js";

/** The course of an order, by its customer and by the operators. */
const ORDER_STAGES = [
  "paid",
  "paid after an hour",
  "paid in the last second",
  "paid too late",
  "never opened",
  "opened and not paid",
  "closed by an operator",
  "paid after an operator closed it",
  "partially refunded",
  "refunded in two parts",
  "refunded immediately",
] as const;
type OrderStage = (typeof ORDER_STAGES)[number];

const CHANNELS: readonly PayChannel[] = ["WALLET_A", "WALLET_B"];
const SOURCES: readonly PaySource[] = ["APP", "NATIVE", "H5"];
/** 66 orders have every combination once. */
const ORDERS = caseCount({ few: 132, many: 1_000 });
/** The number of customers and operators that act at once. */
const AT_ONCE = 25;

interface Purchase {
  readonly bizNo: string;
  readonly fate: OrderStage;
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  /** Cents. */
  readonly amount: number;
}

/** Combines every course with every wallet and every way to pay. */
const PURCHASES: readonly Purchase[] = Array.from({ length: ORDERS }, (_, index) => ({
  bizNo: `b-${index}`,
  fate: pick(ORDER_STAGES, index),
  payChannel: pick(CHANNELS, Math.floor(index / ORDER_STAGES.length)),
  paySource: pick(SOURCES, Math.floor(index / ORDER_STAGES.length / CHANNELS.length)),
  amount: 3 + ((index * 7919) % 99_991),
}));

it("orders of every course reach their final status by queries alone, and match both wallets' records", async () => {
  const fixture = await openFixture();
  await fixture.faults({ walletA: { notify: "drop" }, walletB: { notify: "drop" } });
  const { simulatorControls } = fixture.sandbox;
  const all = (fates: readonly OrderStage[], act: (purchase: Purchase) => Promise<unknown>) =>
    inTurns(
      PURCHASES.filter(({ fate }) => fates.includes(fate)),
      act,
    );
  const pay = async ({ bizNo }: Purchase, late = false) =>
    await orThrow(simulatorControls.pay((await storedOrder(fixture, bizNo)).id, { late }));

  await all(ORDER_STAGES, (purchase) => expectOk(order(fixture, purchase.bizNo, wantedOf(purchase))));
  const toBeRefunded: readonly OrderStage[] = [
    "partially refunded",
    "refunded in two parts",
    "refunded immediately",
  ];
  await all(["paid", ...toBeRefunded], (purchase) => pay(purchase));
  await all(["opened and not paid"], async ({ bizNo }) =>
    orThrow(simulatorControls.open((await storedOrder(fixture, bizNo)).id)),
  );
  const byHand: readonly OrderStage[] = ["closed by an operator", "paid after an operator closed it"];
  await all(byHand, ({ bizNo }) => expectOk(close(fixture.ports, fixture.appId, bizNo)));
  const requests = () =>
    fixture.serviceEvents.filter((event) => event.type === "wallet.called" && event.call === "query");
  expect(requests()).toEqual([]);
  await advanceInSteps(fixture, 31 * SECOND);
  // Two workers ran, and each order was queried only once.
  expect(requests()).toHaveLength(PURCHASES.filter(({ fate }) => !byHand.includes(fate)).length);

  await all(["partially refunded", "refunded in two parts"], ({ bizNo }) =>
    expectOk(refund(fixture, bizNo, "first", 1)),
  );
  await all(["refunded immediately"], ({ bizNo }) => expectOk(refund(fixture, bizNo, "whole")));
  // WALLET_A's closed orders cannot be paid. WALLET_B does not know an unopened order, so it cannot
  // close it.
  await all(["paid after an operator closed it"], async (purchase) => {
    if (purchase.payChannel === "WALLET_B") await pay(purchase);
  });
  await advanceInSteps(fixture, MINUTE);
  await all(["refunded in two parts"], ({ bizNo }) => expectOk(refund(fixture, bizNo, "second")));
  await advanceInSteps(fixture, HOUR);
  await all(["paid after an hour"], (purchase) => pay(purchase));
  await fixture.advance(HOUR - MINUTE - 31 * SECOND);
  await all(["paid in the last second"], (purchase) => pay(purchase));
  await fixture.advance(MINUTE);
  await all(["paid too late"], (purchase) => pay(purchase, true));
  await advanceInSteps(fixture, 5 * MINUTE, MINUTE, HOUR);

  const kept = { WALLET_A: 0, WALLET_B: 0 };
  await all(ORDER_STAGES, async (purchase) => {
    const book = await storedOrder(fixture, purchase.bizNo);
    expect({ ...purchase, status: book.paymentStatus, refunded: book.refundedAmount }).toEqual({
      ...purchase,
      ...expectedOf(purchase),
    });
    await expectAgreement(fixture, book);
    if (book.pmtDt !== undefined) kept[purchase.payChannel] += book.amount - book.refundedAmount;
  });
  expect({
    WALLET_A: simulatorControls.balance("WALLET_A"),
    WALLET_B: simulatorControls.balance("WALLET_B"),
  }).toEqual(kept);
  expect(fixture.sent).toEqual([]);

  const before = fixture.serviceEvents.length;
  await advanceInSteps(fixture, 8 * DAY);
  expect(fixture.serviceEvents.slice(before)).toEqual([]);
});

function wantedOf({ payChannel, paySource, amount }: Purchase) {
  return { payChannel, paySource, amount };
}

function expectedOf({ fate, payChannel, amount }: Purchase) {
  switch (fate) {
    case "paid":
    case "paid after an hour":
    case "paid in the last second":
    case "paid too late":
      return { status: "PAID", refunded: 0 };
    case "paid after an operator closed it":
      return { status: payChannel === "WALLET_B" ? "PAID" : "CLOSE", refunded: 0 };
    case "never opened":
    case "opened and not paid":
    case "closed by an operator":
      return { status: "CLOSE", refunded: 0 };
    case "partially refunded":
      return { status: "PAID", refunded: 1 };
    case "refunded in two parts":
    case "refunded immediately":
      return { status: "REFUND", refunded: amount };
  }
}

/**
 * The possible states at the wallet for each stored state.
 *
 * An unopened order stays NOTPAY at WALLET_B.
 */
const STATES: Readonly<Record<Order["paymentStatus"], readonly string[]>> = {
  PENDING: [],
  PAID: ["PAID"],
  CLOSE: ["CLOSED", "NOTPAY"],
  REFUND: ["REFUNDED"],
};

/** Expects that the wallet agrees with everything stored about an order. */
async function expectAgreement({ ports, sandbox }: TestFixture, book: Order): Promise<void> {
  const { id, appId, bizNo, amount, paymentStatus, payChannel, refundedAmount } = book;
  const there = orThrow(sandbox.simulatorControls.order(id));
  expect(there).toMatchObject({ amount });
  expect(STATES[paymentStatus]).toContain(there.state);
  const refunds: readonly Refund[] = await expectOk(ports.refunds.list({ appId, bizNo }));
  const account = (await expectOk(ports.payTools.find(book.payToolId))) ?? expect.fail("no account");
  let sum = 0;
  for (const made of refunds) {
    const { amount: part, reason } = made;
    const refundNo = outRefundNo(book, made);
    const request = { outTradeNo: id, refundNo, amount: part, orderAmount: amount, reason, notifyUrl: "" };
    const stated = await expectOk(
      ports.wallets[payChannel].queryRefund(account, request, { deadline: 10_000 }),
    );
    expect(stated).toMatchObject({ state: "CONFIRMED", amount: part });
    sum += stated?.amount ?? 0;
  }
  expect(sum).toBe(refundedAmount);
  const timeline = await expectOk(ports.orders.timeline({ appId, bizNo }));
  expect(findTimelineBreak(ports.digest, id, timeline)).toBeUndefined();
}

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error("The list is empty.");
  return found;
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await Promise.all(items.slice(at, at + AT_ONCE).map((item) => act(item)));
}
