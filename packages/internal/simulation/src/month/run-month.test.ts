import { expect, it } from "vitest";
import { runMonth } from "./run-month.js";

it(
  "a month ends with data that agrees with the wallets, empty lists, and no exceeded limit",
  { tags: "slow" },
  async () => {
    const month = await runMonth({ seed: 2, orders: 40 });
    expect(month.story).toEqual([]);
    expect(month.broken).toEqual([]);
    // The month with this seed has events of each type, so the checks above cover them.
    for (const type of [
      "REFUND_ADOPTED",
      "REFUND_SETTLED",
      "REFUND_FAILED",
      "LATE_PAYMENT",
      "SECOND_PAYMENT",
    ])
      expect(Object.fromEntries(month.events)).toHaveProperty(type);
    expect(month.refunds.get("CONFIRMED")).toBeGreaterThan(5);
  },
);
