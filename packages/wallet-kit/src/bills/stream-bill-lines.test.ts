import { orThrow } from "@tillkit/core";
import type { BillEntry, BillLine, FlowEntry } from "@tillkit/core/ports";
import fc from "fast-check";
import { err, errAsync, ok, okAsync, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { streamBillLines, streamFlowLines } from "./stream-bill-lines.js";

const aLine = (at: number, amount: number): BillLine => ({
  kind: at % 3 === 0 ? "refund" : "payment",
  outTradeNo: `order-${at}`,
  amount,
  state: "DONE",
  walletTradeNo: `trade-${at}`,
});

describe("streamBillLines", () => {
  it("passes every line once and in order, and counts them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 1_700 }),
        async (amounts) => {
          const lines = amounts.map((amount, at) => aLine(at, amount));
          const taken: BillEntry[] = [];
          const totals = await streamBillLines(
            lines.map((line) => ok(line)),
            (portion) => okAsync(void taken.push(...portion)),
          );
          expect(taken).toEqual(lines);
          const sum = (kind: BillLine["kind"]) =>
            lines.filter((line) => line.kind === kind).reduce((total, { amount }) => total + amount, 0);
          const refunds = Math.ceil(amounts.length / 3);
          expect(orThrow(totals)).toEqual({
            payments: amounts.length - refunds,
            paymentAmount: sum("payment"),
            refunds,
            refundAmount: sum("refund"),
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  it("reads no line before the previous batch was accepted, and keeps at most one batch in memory", async () => {
    let requestCount = 0;
    let stored = 0;
    let most = 0;
    async function* lines() {
      while (requestCount < 20_000) {
        requestCount += 1;
        stored += 1;
        most = Math.max(most, stored);
        yield ok(aLine(requestCount, 1));
      }
    }
    const take = (portion: readonly BillEntry[]) => {
      const before = requestCount;
      const slow = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        expect(requestCount).toBe(before);
        stored -= portion.length;
      });
      return ResultAsync.fromSafePromise(slow);
    };
    expect((await streamBillLines(lines(), take)).isOk()).toBe(true);
    expect(requestCount).toBe(20_000);
    expect(most).toBe(500);
  });

  it("returns the first failure, of a line or of `take`", async () => {
    const taken: number[] = [];
    const take = (portion: readonly BillEntry[]) => okAsync(void taken.push(portion.length));
    expect(await streamBillLines([ok(aLine(1, 1)), err("unreadable"), ok(aLine(2, 1))], take)).toEqual(
      err("unreadable"),
    );
    expect(taken).toEqual([]);
    const full = () => errAsync("full");
    expect(await streamBillLines([ok(aLine(1, 1))], full)).toEqual(err("full"));
    const many = Array.from({ length: 501 }, (_, at) => ok(aLine(at, 1)));
    expect(await streamBillLines(many, full)).toEqual(err("full"));
  });

  it("counts unreadable lines separately", async () => {
    const faulty = { kind: "unreadable", at: 2, digest: "d", problem: "p" } as const;
    const totals = await streamBillLines([ok(aLine(1, 5)), ok(faulty), ok(faulty)], () => okAsync(undefined));
    expect(orThrow(totals)).toEqual({
      payments: 1,
      paymentAmount: 5,
      refunds: 0,
      refundAmount: 0,
      unreadable: { lines: 2 },
    });
  });
});

describe("streamFlowLines", () => {
  it("counts movements, and sums increases and decreases", async () => {
    const movement = (amount: number): FlowEntry => ({ kind: "other", amount, at: 0 });
    const taken: FlowEntry[] = [];
    const lines = [movement(5), movement(-3), movement(7)];
    const totals = await streamFlowLines(
      lines.map((line) => ok(line)),
      (portion) => okAsync(void taken.push(...portion)),
    );
    expect(orThrow(totals)).toEqual({ lines: 3, income: 12, expense: 3 });
    expect(taken).toEqual(lines);
  });
});
