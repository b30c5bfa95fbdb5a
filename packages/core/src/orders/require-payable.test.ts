import { describe, expect, it } from "vitest";
import { anOrder } from "../testing/stubs.js";
import { requirePayable } from "./require-payable.js";

describe("requirePayable", () => {
  it.each([
    ["PENDING", 9_999, "ok"],
    ["PENDING", 10_000, "order.closed"],
    ["PAID", 0, "order.already-paid"],
    ["CLOSE", 0, "order.closed"],
    ["REFUND", 0, "order.refunded"],
  ] as const)("%s at %i: %s", (paymentStatus, now, outcome) => {
    const payable = requirePayable(anOrder({ paymentStatus, expiresAt: 10_000 }), now);
    expect(
      payable.match(
        () => "ok",
        ({ name }) => name,
      ),
    ).toBe(outcome);
  });
});
