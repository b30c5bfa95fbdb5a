import fc from "fast-check";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { WalletOrder } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import type { PaymentStatus } from "./payment-status-moves.js";
import type { Refund } from "../refunds/refund.js";
import type { ServiceEvent } from "../events/observer.js";
import type { OrderStore, OrderTransition } from "./order-store.js";
import type { TimelineEntry } from "./timeline.js";
import { account, anOrder, aRefund, stub } from "../testing/stubs.js";
import { applyWalletOrder, type ApplyWalletOrderPorts } from "./apply-wallet-order.js";
import { orThrow } from "../errors/or-throw.js";

function aStatement(changes: Partial<WalletOrder>): WalletOrder {
  const facts = { outTradeNo: "order-1", walletAppId: "wallet-app-1", merchantId: "merchant-1", amount: 600 };
  return { state: "PAID", ...facts, currency: "CNY", evidence: JSON.stringify(changes), ...changes };
}

/** Creates a store of one order and its refunds. Records every move, alarm and emitted event. */
function openFixture(
  orders: (move: OrderStore["transition"]) => OrderStore["transition"] = (move) => move,
  refunds: readonly Refund[] = [],
) {
  let order = anOrder({ paymentStatus: "PENDING" });
  const moves: string[] = [];
  const alarms: TimelineEntry[] = [];
  const reported: ServiceEvent[] = [];
  const transition = orders((_key, change) => {
    if (order.paymentStatus !== change.from) return okAsync({ moved: false, order });
    order = { ...order, paymentStatus: change.to };
    moves.push(`${change.from} ${change.to}`);
    return okAsync({ moved: true, order });
  });
  const record: OrderStore["record"] = (_key, entry) => {
    const known = alarms.some(({ type, evidence }) => type === entry.type && evidence === entry.evidence);
    if (!known) alarms.push(entry);
    return okAsync(!known);
  };
  const ports: ApplyWalletOrderPorts = {
    orders: stub({ transition, record }),
    refunds: stub({ list: () => okAsync(refunds) }),
    wallets: { WALLET_A: stub({}), WALLET_B: stub({}) },
    clock: { now: () => 500, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: (serviceEvent) => void reported.push(serviceEvent) },
  };
  const receive = (seen: Order, stated: WalletOrder) =>
    applyWalletOrder(ports, seen, account, stated, "query");
  return { receive, moves, alarms, reported, order: () => order };
}

/** Creates the test environment, and returns the calls to its store as well. */
function openStoredFixture() {
  const changes: OrderTransition[] = [];
  const fixture = openFixture((move) => (key, change) => {
    changes.push(change);
    return move(key, change);
  });
  return { ...fixture, changes };
}

function paymentBy(source: "notification" | "query"): ServiceEvent {
  const payment = { payChannel: "WALLET_A", appId: "app_1", orderId: "order-1", delayMs: 0 } as const;
  return { type: "payment.recorded", ...payment, source };
}

function movedOf(from: PaymentStatus, to: PaymentStatus): ServiceEvent {
  return { type: "order.moved", appId: "app_1", orderId: "order-1", from, to };
}

function alarmOf(event: TimelineEntry["type"]): ServiceEvent {
  return { type: "order.alarm", appId: "app_1", orderId: "order-1", event };
}

const ALLOWED = ["PENDING PAID", "PENDING CLOSE", "CLOSE PAID"];
const STATES = ["OPEN", "PAID", "CLOSED", "REFUNDED"] as const;
const LIES = [
  { outTradeNo: "order-2" },
  { walletAppId: "another" },
  { merchantId: "another" },
  { amount: 601 },
  { currency: "USD" },
];
const DIFFERENCES = ["order-number", "app-id", "merchant", "amount", "currency"];

describe("applyWalletOrder", () => {
  it("makes only allowed transitions and never loses PAID, for any sequence of statements", async () => {
    const statement = fc.record({
      state: fc.constantFrom(...STATES),
      lie: fc.constantFrom({}, {}, {}, ...LIES),
      // A process may act on an old copy of the order.
      seenAs: fc.option(fc.constantFrom<PaymentStatus>("PENDING", "CLOSE", "PAID"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
        const fixture = openFixture();
        let paid = false;
        for (const { state, lie, seenAs } of statements) {
          const before = fixture.order();
          const seen = seenAs === undefined ? before : anOrder({ paymentStatus: seenAs });
          const result = await fixture.receive(seen, aStatement({ state, ...lie }));
          const honest = Object.keys(lie).length === 0;
          expect(orThrow(result).mismatch).toBe(!honest);
          if (!honest) expect(fixture.order()).toEqual(before);
          const trusted = honest && (state === "PAID" || state === "REFUNDED") && seenAs !== "PAID";
          if (trusted) paid = true;
          expect(fixture.order().paymentStatus === "PAID").toBe(paid);
        }
        for (const move of fixture.moves) expect(ALLOWED).toContain(move);
        expect(fixture.moves.filter((move) => move.endsWith("PAID")).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("reaches the same status for every sequence of the same correct statements", async () => {
    const statements = fc.array(fc.constantFrom(...STATES), { minLength: 1, maxLength: 6 });
    const shuffled = statements.chain((states) =>
      fc.tuple(
        fc.constant(states),
        fc.shuffledSubarray(states, { minLength: states.length, maxLength: states.length }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([states, permuted]) => {
        const ends = [];
        for (const sequence of [states, permuted, [...states, ...permuted]]) {
          const fixture = openFixture();
          for (const state of sequence) await fixture.receive(fixture.order(), aStatement({ state }));
          ends.push(fixture.order().paymentStatus);
        }
        expect(new Set(ends).size).toBe(1);
      }),
    );
  });

  it("reports what does not match, and records the same false statement once", async () => {
    for (const [index, lie] of LIES.entries()) {
      const fixture = openFixture();
      const stated = aStatement(lie);
      for (let repeats = 0; repeats < 2; repeats += 1) await fixture.receive(fixture.order(), stated);
      expect(fixture.alarms).toHaveLength(1);
      expect(fixture.alarms[0]).toEqual({
        type: "MISMATCH",
        at: 500,
        actor: "wallet",
        reason: "",
        details: JSON.stringify({ about: "order", source: "query", differences: [DIFFERENCES[index]] }),
        evidence: stated.evidence,
        alarm: true,
      });
      expect(fixture.reported).toEqual([alarmOf("MISMATCH")]);
      expect(fixture.moves).toEqual([]);
    }
    const fixture = openFixture();
    await fixture.receive(
      fixture.order(),
      aStatement(LIES.reduce<Partial<WalletOrder>>((all, lie) => ({ ...all, ...lie }), {})),
    );
    expect(fixture.alarms[0]?.details).toBe(
      JSON.stringify({ about: "order", source: "query", differences: DIFFERENCES }),
    );
  });

  it("does not accept a payment without amount or currency", async () => {
    const { amount: _amount, ...withoutAmount } = aStatement({});
    const { currency: _currency, ...withoutCurrency } = aStatement({});
    for (const stated of [withoutAmount, withoutCurrency]) {
      const fixture = openFixture();
      expect((await orThrow(fixture.receive(fixture.order(), stated))).mismatch).toBe(true);
      const closed: WalletOrder = { ...stated, state: "CLOSED" };
      expect((await orThrow(fixture.receive(fixture.order(), closed))).mismatch).toBe(false);
      expect(fixture.moves).toEqual(["PENDING CLOSE"]);
    }
  });

  it("stores the time of a payment, the wallet's number and the service extension", async () => {
    const { receive, changes } = openStoredFixture();
    const entry = {
      type: "PAID",
      at: 500,
      actor: "wallet",
      reason: "",
      details: '{"source":"query"}',
      from: "PENDING",
      to: "PAID",
      evidence: "one",
      alarm: false,
    };
    const move = { from: "PENDING", to: "PAID", at: 500 };
    const evidence = "one";
    const service = { serviceTypeNo: "t", serviceName: "Member", durationMs: 1 };
    await receive(anOrder(), aStatement({ evidence }));
    await receive(
      anOrder({ service, serviceNo: "s-1" }),
      aStatement({ evidence, paidAt: 400, walletTradeNo: "w-1" }),
    );
    await receive(anOrder({ service }), aStatement({ evidence, paidAt: 400 }));
    expect(changes).toStrictEqual([
      { ...move, pmtDt: 500, entry },
      { ...move, pmtDt: 400, walletTradeNo: "w-1", extendService: { serviceNo: "s-1" }, entry },
      { ...move, pmtDt: 400, extendService: changes[2]?.extendService, entry },
    ]);
    expect(changes[2]?.extendService?.serviceNo).toMatch(/^svc_[0-9A-Z]{26}$/);
  });

  it("raises an alarm if the money came after the order was closed", async () => {
    const { receive, order, changes, reported } = openStoredFixture();
    await receive(order(), aStatement({ state: "CLOSED", evidence: "closed" }));
    await receive(order(), aStatement({ evidence: "paid" }));
    const [closed, paid] = changes.map(({ entry }) => entry);
    expect(closed).toStrictEqual({
      type: "CLOSED",
      at: 500,
      actor: "wallet",
      reason: "",
      details: '{"source":"query"}',
      from: "PENDING",
      to: "CLOSE",
      evidence: "closed",
      alarm: false,
    });
    expect(paid).toMatchObject({
      type: "LATE_PAYMENT",
      details: '{"source":"query"}',
      from: "CLOSE",
      alarm: true,
    });
    expect(reported).toEqual([
      movedOf("PENDING", "CLOSE"),
      movedOf("CLOSE", "PAID"),
      alarmOf("LATE_PAYMENT"),
      paymentBy("query"),
    ]);
  });

  it("raises no alarm if the money came in time, and emits one event", async () => {
    const { receive, order, reported } = openFixture();
    const before = order();
    for (let repeats = 0; repeats < 2; repeats += 1) await receive(before, aStatement({}));
    expect(reported).toEqual([movedOf("PENDING", "PAID"), paymentBy("query")]);
  });

  it.each([
    ["no refund", [], ["UNKNOWN_REFUND"]],
    ["a refund that failed", ["FAILED"], ["UNKNOWN_REFUND"]],
    ["a refund in progress", ["FAILED", "SENT"], []],
    ["a confirmed refund", ["CONFIRMED"], []],
  ] as const)(
    "raises an alarm for a reported refund unless Tillkit may have made it: Tillkit has %s",
    async (_what, statuses, alarms) => {
      const fixture = openFixture(
        undefined,
        statuses.map((status) => aRefund({ status })),
      );
      await fixture.receive(fixture.order(), aStatement({ state: "REFUNDED" }));
      expect(fixture.order().paymentStatus).toBe("PAID");
      expect(fixture.alarms.map(({ type }) => type)).toEqual(alarms);
      for (const { details } of fixture.alarms) expect(details).toBe('{"source":"query"}');
    },
  );

  it("raises no alarm for a reported refund of a REFUND order, and none for a reported payment", async () => {
    const fixture = openFixture(undefined, [aRefund({ status: "CONFIRMED" })]);
    await fixture.receive(anOrder({ paymentStatus: "REFUND" }), aStatement({ state: "REFUNDED" }));
    await fixture.receive(fixture.order(), aStatement({}));
    expect(fixture.alarms).toEqual([]);
  });

  it("raises an alarm for a reported refund if the merchant paid the customer by other means", async () => {
    const fixture = openFixture(undefined, [aRefund({ status: "SETTLED" })]);
    await fixture.receive(anOrder({ paymentStatus: "REFUND" }), aStatement({ state: "REFUNDED" }));
    expect(fixture.alarms.map(({ type }) => type)).toEqual(["UNKNOWN_REFUND"]);
  });

  it("retries after it lost a race to a closure", async () => {
    const fixture = openFixture();
    await fixture.receive(fixture.order(), aStatement({ state: "CLOSED" }));
    const verdict = await fixture.receive(anOrder({ paymentStatus: "PENDING" }), aStatement({}));
    expect(orThrow(verdict).order.paymentStatus).toBe("PAID");
    expect(fixture.moves).toEqual(["PENDING CLOSE", "CLOSE PAID"]);
  });

  it.each<readonly [string, OrderStore["transition"]]>([
    ["the order is gone", () => okAsync(undefined)],
    [
      "nothing moved and nothing changed",
      () => okAsync({ moved: false, order: anOrder({ paymentStatus: "PENDING" }) }),
    ],
  ])("ends if a store reports that %s", async (_what, answer) => {
    let calls = 0;
    const fixture = openFixture(() => (key, change) => {
      calls += 1;
      // Turns an endless loop into a failure.
      if (calls > 3) throw new Error("endless retries");
      return answer(key, change);
    });
    const verdict = await fixture.receive(fixture.order(), aStatement({}));
    expect(orThrow(verdict)).toEqual({
      order: anOrder({ paymentStatus: "PENDING" }),
      mismatch: false,
    });
    expect(calls).toBe(1);
  });
});

describe("a statement that contradicts the payment on record", () => {
  const paid = anOrder({ paymentStatus: "PAID", walletTradeNo: "4200" });

  it("raises one alarm with the numbers of both payments, also if the first one is refunded", async () => {
    for (const paymentStatus of ["PAID", "REFUND"] as const) {
      const { receive, moves, alarms, reported } = openFixture();
      const second = aStatement({ walletTradeNo: "4201" });
      for (let times = 0; times < 2; times += 1) await receive({ ...paid, paymentStatus }, second);
      const details = JSON.stringify({ source: "query", recorded: "4200", stated: "4201" });
      expect(alarms).toMatchObject([{ type: "SECOND_PAYMENT", details, alarm: true }]);
      expect(reported).toEqual([alarmOf("SECOND_PAYMENT")]);
      expect(moves).toEqual([]);
    }
  });

  it("raises an alarm if the wallet states that the order is closed", async () => {
    const { receive, moves, alarms } = openFixture();
    await receive(paid, aStatement({ state: "CLOSED" }));
    expect(alarms).toMatchObject([{ type: "CLOSED_AFTER_PAYMENT", details: '{"source":"query"}' }]);
    expect(moves).toEqual([]);
  });

  it("raises no alarm for the same payment, or for an order that the wallet closed after a refund", async () => {
    const same = openFixture();
    await same.receive(paid, aStatement({ walletTradeNo: "4200" }));
    await same.receive(paid, aStatement({}));
    await same.receive({ ...paid, paymentStatus: "REFUND" }, aStatement({ state: "CLOSED" }));
    const refunding = openFixture(undefined, [aRefund({ status: "SENT" })]);
    await refunding.receive(paid, aStatement({ state: "CLOSED" }));
    expect([same.alarms, refunding.alarms]).toEqual([[], []]);
  });

  it.each([
    ["before the order", -2 * 86_400_000],
    ["in the future", 2 * 86_400_000],
  ])("records a stated time %s, and uses the time of the statement instead", async (_when, offset) => {
    const { receive, changes } = openStoredFixture();
    const paidAt = 500 + offset;
    await receive(anOrder({ paymentStatus: "PENDING", gmtCreate: 400 }), aStatement({ paidAt }));
    expect(changes).toMatchObject([
      { pmtDt: 500, entry: { details: JSON.stringify({ source: "query", statedAt: paidAt }) } },
    ]);
  });
});
