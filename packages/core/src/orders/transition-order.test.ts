import fc from "fast-check";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { WalletOrder } from "../wallets/wallet.js";
import type { Order, PaymentStatus } from "./order.js";
import type { OrderStore } from "./order-store.js";
import type { TimelineEntry } from "./timeline.js";
import { applyWalletOrder, type TransitionPorts } from "./transition-order.js";
import { account, anOrder, stub } from "../testing/stubs.js";

function aStatement(changes: Partial<WalletOrder>): WalletOrder {
  const facts = { outTradeNo: "order-1", walletAppId: "wallet-app-1", merchantId: "merchant-1", amount: 600 };
  return { state: "PAID", ...facts, currency: "CNY", evidence: JSON.stringify(changes), ...changes };
}

/** One order under compare-and-set, and every move and alarm it went through. */
function aWorld(orders: (move: OrderStore["transition"]) => OrderStore["transition"] = (move) => move) {
  let order = anOrder({ paymentStatus: "PENDING" });
  const moves: string[] = [];
  const alarms: TimelineEntry[] = [];
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
  const ports: TransitionPorts = {
    orders: stub({ transition, record }),
    refunds: stub({ list: () => okAsync([]) }),
    clock: { now: () => 500, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { notice: () => undefined },
  };
  const hear = (seen: Order, stated: WalletOrder) =>
    applyWalletOrder(ports, seen, account, stated, "the wallet");
  return { hear, moves, alarms, order: () => order };
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

describe("applyWalletOrder", () => {
  it("moves along the table only and never loses PAID, whatever is stated, in any order and any number of times", async () => {
    const statement = fc.record({
      state: fc.constantFrom(...STATES),
      lie: fc.constantFrom({}, {}, {}, ...LIES),
      // A process may act on what it read of the order long ago.
      seenAs: fc.option(fc.constantFrom<PaymentStatus>("PENDING", "CLOSE", "PAID"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 12 }), async (statements) => {
        const world = aWorld();
        let paid = false;
        for (const { state, lie, seenAs } of statements) {
          const before = world.order();
          const seen = seenAs === undefined ? before : anOrder({ paymentStatus: seenAs });
          const result = await world.hear(seen, aStatement({ state, ...lie }));
          const honest = Object.keys(lie).length === 0;
          expect(result._unsafeUnwrap().mismatch).toBe(!honest);
          if (!honest) expect(world.order()).toEqual(before);
          const believed = honest && (state === "PAID" || state === "REFUNDED") && seenAs !== "PAID";
          if (believed) paid = true;
          expect(world.order().paymentStatus === "PAID").toBe(paid);
        }
        for (const move of world.moves) expect(ALLOWED).toContain(move);
        expect(world.moves.filter((move) => move.endsWith("PAID")).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("comes to the same end for every order of the same honest statements", async () => {
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
          const world = aWorld();
          for (const state of sequence) await world.hear(world.order(), aStatement({ state }));
          ends.push(world.order().paymentStatus);
        }
        expect(new Set(ends).size).toBe(1);
      }),
    );
  });

  it("names what does not fit, and records the same lie once", async () => {
    for (const lie of LIES) {
      const world = aWorld();
      const stated = aStatement(lie);
      for (let repeats = 0; repeats < 2; repeats += 1) await world.hear(world.order(), stated);
      expect(world.alarms).toHaveLength(1);
      expect(world.alarms[0]).toMatchObject({ type: "MISMATCH", evidence: stated.evidence, alarm: true });
      expect(world.moves).toEqual([]);
    }
  });

  it("does not believe a payment that leaves out its amount or currency", async () => {
    const { amount: _amount, ...withoutAmount } = aStatement({});
    const { currency: _currency, ...withoutCurrency } = aStatement({});
    for (const stated of [withoutAmount, withoutCurrency]) {
      const world = aWorld();
      expect((await world.hear(world.order(), stated))._unsafeUnwrap().mismatch).toBe(true);
      const closed: WalletOrder = { ...stated, state: "CLOSED" };
      expect((await world.hear(world.order(), closed))._unsafeUnwrap().mismatch).toBe(false);
      expect(world.moves).toEqual(["PENDING CLOSE"]);
    }
  });

  it("is an alarm when the money came after the order was closed", async () => {
    const world = aWorld();
    const entries: TimelineEntry[] = [];
    const noting = aWorld((move) => (key, change) => {
      entries.push(change.entry);
      return move(key, change);
    });
    await noting.hear(world.order(), aStatement({ state: "CLOSED" }));
    await noting.hear(noting.order(), aStatement({}));
    expect(entries.map(({ type, alarm }) => [type, alarm])).toEqual([
      ["CLOSED", false],
      ["LATE_PAYMENT", true],
    ]);
  });

  it("tries again as the table says when it lost a race to a closure", async () => {
    const world = aWorld();
    await world.hear(world.order(), aStatement({ state: "CLOSED" }));
    const verdict = await world.hear(anOrder({ paymentStatus: "PENDING" }), aStatement({}));
    expect(verdict._unsafeUnwrap().order.paymentStatus).toBe("PAID");
    expect(world.moves).toEqual(["PENDING CLOSE", "CLOSE PAID"]);
  });

  it.each<readonly [string, OrderStore["transition"]]>([
    ["the order is gone", () => okAsync(undefined)],
    [
      "nothing moved and nothing changed",
      () => okAsync({ moved: false, order: anOrder({ paymentStatus: "PENDING" }) }),
    ],
  ])("ends when a store says that %s", async (_what, answer) => {
    let calls = 0;
    const world = aWorld(() => (key, change) => {
      calls += 1;
      // Without an end this would be asked for ever.
      if (calls > 3) throw new Error("asked again and again");
      return answer(key, change);
    });
    const verdict = await world.hear(world.order(), aStatement({}));
    expect(verdict._unsafeUnwrap()).toEqual({
      order: anOrder({ paymentStatus: "PENDING" }),
      mismatch: false,
    });
    expect(calls).toBe(1);
  });
});
