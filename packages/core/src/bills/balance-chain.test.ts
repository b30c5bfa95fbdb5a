import fc from "fast-check";
import { expect, it } from "vitest";
import { balanceChain } from "./balance-chain.js";
import type { FlowLine } from "../wallets/fund-flow.js";

const line = (amount: number, balance?: number, at = 0): FlowLine => ({
  kind: "other",
  amount,
  at,
  ...(balance === undefined ? {} : { balance }),
});

/** Creates movements with balances that start at `opening`, one per millisecond. */
function flowOf(amounts: readonly number[], opening: number): readonly FlowLine[] {
  let balance = opening;
  return amounts.map((amount, place) => {
    balance += amount;
    return line(amount, balance, place);
  });
}

function findings(lines: readonly FlowLine[]) {
  const chain = balanceChain();
  chain.add(lines.slice(0, 3));
  chain.add(lines.slice(3));
  return chain.findings();
}

const amount = fc.integer({ min: -50, max: 50 }).filter((cents) => cents !== 0);

it("finds the opening and closing balance for any order of the movements", () => {
  fc.assert(
    fc.property(
      fc.array(amount, { minLength: 1, maxLength: 30 }),
      fc.nat(200),
      fc.nat(),
      (amounts, opening, seed) => {
        const flow = flowOf(amounts, opening);
        const closing = flow.at(-1)?.balance;
        const shuffled = flow
          .map((one, place) => ({ one, key: (place * 7_919 + seed) % 31 }))
          .toSorted((left, right) => left.key - right.key)
          .map(({ one }) => one);
        for (const order of [flow, flow.toReversed(), shuffled])
          expect(findings(order)).toEqual({ opening, closing, isConnected: true });
      },
    ),
  );
});

it("detects a changed balance, unless another movement has the same balance", () => {
  const flow = flowOf([5, 6, 7, 8], 100);
  for (const place of [0, 1, 2]) {
    const faulty = flow.map((one, at) =>
      at === place ? { ...one, balance: (one.balance ?? 0) + 1_000 } : one,
    );
    expect(findings(faulty).isConnected).toBe(false);
  }
});

it("detects a missing movement, unless it is the first or the last one", () => {
  const flow = flowOf([5, 6, 7, 8], 100);
  for (const place of [1, 2]) expect(findings(flow.filter((_, at) => at !== place)).isConnected).toBe(false);
  expect(findings(flow.slice(1))).toEqual({ opening: 105, closing: 126, isConnected: true });
});

it("returns no balances if there are no movements, or if one has no balance", () => {
  expect(findings([])).toEqual({ isConnected: true });
  expect(findings([line(5, 105), line(6), line(7, 300)])).toEqual({ isConnected: true });
});

it("limits the balances in memory for a bill whose balances never match", () => {
  const chain = balanceChain();
  for (let place = 0; place < 30_000; place += 1) chain.add([line(1, place * 10, place)]);
  expect(chain.findings()).toEqual({ opening: -1, closing: 299_990, isConnected: false });
});
