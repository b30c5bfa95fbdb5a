import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { orThrow } from "../errors/or-throw.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { timelineOf } from "../testing/event-fixture.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import type { SendRefundPorts } from "./refund-call.js";
import { refundOrder, refundOrderInput } from "./refund-order.js";
import type { RefundStore } from "./refund-store.js";

const parameters = { bizNo: "b-1", refundNo: "refund-1", reason: "asked to", operator: "han" };

function read(changes: Readonly<Record<string, unknown>>) {
  return parseInput(refundOrderInput(defaultPolicy), { ...parameters, ...changes });
}

describe("refundOrderInput", () => {
  it.each([
    [{ refundNo: "no spaces" }, "refundNo", "refund-no"],
    [{ refundNo: "/".repeat(3) }, "refundNo", "refund-no"],
    [{ refundNo: "x".repeat(32) }, "refundNo", "length"],
    [{ amount: 1.5 }, "amount", "positive-cents"],
    [{ amount: 0 }, "amount", "positive-cents"],
  ])("names the rule that %o violates", (changes, parameter, rule) => {
    expect(read(changes)._unsafeUnwrapErr()).toEqual({ name: "parameter.invalid", parameter, rule });
  });

  it("accepts a number of 31 characters, and one cent", () => {
    const most = { refundNo: `${"x".repeat(28)}_-9`, amount: 1 };
    expect(orThrow(read(most))).toEqual({ ...parameters, ...most });
  });
});

/** Creates ports over a paid order whose timeline grows during each query of the wallet. */
function openPorts(request: RefundStore["request"]) {
  const entries = [{ type: "PAID", to: "PAID" } as const];
  let queries = 0;
  const ports: SendRefundPorts = {
    orders: stub({}),
    refunds: stub({
      readRecord: () => {
        const order = anOrder({ paymentStatus: "PAID" });
        return okAsync({ order, refunds: [], timeline: timelineOf(...entries) });
      },
      request,
    }),
    billExceptions: stub({}),
    payTools: stub({ getCached: () => account }),
    wallets: {
      WALLET_A: stub({
        queryRefund: () => {
          queries += 1;
          entries.push({ type: "PAID", to: "PAID" });
          return okAsync(undefined);
        },
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => 0, sleep: async () => undefined },
    observer: { onEvent: () => undefined },
    policy: defaultPolicy,
  };
  return { ports, queries: () => queries };
}

describe("refundOrder", () => {
  it("fails if the order is removed between the read and the refund", async () => {
    const { ports } = openPorts(() => okAsync({ kind: "no-order" as const }));
    const refunded = read({}).asyncAndThen((input) => refundOrder(ports, "app_1", input));
    expect((await refunded)._unsafeUnwrapErr()).toEqual({ name: "order.not-found" });
  });

  it("reads the order again if it changed during the query, and stores nothing from an old read", async () => {
    const seen: (number | undefined)[] = [];
    const order = anOrder({ paymentStatus: "PAID" });
    const { ports, queries } = openPorts((_refund, _entry, last) => {
      seen.push(last);
      return okAsync({ kind: "changed" as const, order });
    });
    const refunded = read({}).asyncAndThen((input) => refundOrder(ports, "app_1", input));
    expect((await refunded)._unsafeUnwrapErr()).toEqual({ name: "refund.in-progress" });
    expect(seen).toEqual([2, 3, 4]);
    expect(queries()).toBe(3);
  });
});
