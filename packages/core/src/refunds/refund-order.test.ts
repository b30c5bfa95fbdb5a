import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { timelineOf } from "../testing/event-fixture.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import type { SendRefundPorts } from "./refund-call.js";
import { refundOrder, refundOrderInput } from "./refund-order.js";

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
    expect(read(most)._unsafeUnwrap()).toEqual({ ...parameters, ...most });
  });
});

describe("refundOrder", () => {
  it("fails if the order is removed between the read and the refund", async () => {
    const ports: SendRefundPorts = {
      orders: stub({
        find: () => okAsync(anOrder({ paymentStatus: "PAID" })),
        timeline: () => okAsync(timelineOf({ type: "PAID", to: "PAID" })),
      }),
      refunds: stub({ list: () => okAsync([]), request: () => okAsync({ kind: "no-order" as const }) }),
      billExceptions: stub({}),
      payTools: stub({ getCached: () => account }),
      wallets: { WALLET_A: stub({ queryRefund: () => okAsync(undefined) }), WALLET_B: stub({}) },
      clock: { now: () => 0, sleep: async () => undefined },
      observer: { onEvent: () => undefined },
      policy: defaultPolicy,
    };
    const refunded = read({}).asyncAndThen((input) => refundOrder(ports, "app_1", input));
    expect((await refunded)._unsafeUnwrapErr()).toEqual({ name: "order.not-found" });
  });
});
