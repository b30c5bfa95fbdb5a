import { expect, it } from "vitest";
import { runWeek } from "./run-week.js";

it(
  "ends every refund or raises an alarm, within the wallets' limits, with exact sums",
  { tags: "slow" },
  async () => {
    const { refunds, money, broken } = await runWeek({ seed: 3, refunds: 8, days: 8 });
    expect(broken).toEqual([]);
    expect(new Set(refunds.map(({ status }) => status))).toEqual(
      new Set(["CONFIRMED", "SENT", "FAILED", "ABNORMAL", "SETTLED"]),
    );
    expect(new Set(refunds.flatMap(({ alarms }) => alarms))).toEqual(
      new Set(["REFUND_OVERDUE", "REFUND_FAILED", "REFUND_ABNORMAL", "REFUND_WAITING_FOR_FUNDS"]),
    );
    expect(money.every(({ refundedHere }) => refundedHere > 0)).toBe(true);
  },
);

it("reports a refund that has neither ended nor an alarm", { tags: "slow" }, async () => {
  const { broken } = await runWeek({ seed: 3, refunds: 4, days: 1 });
  expect(broken).toContainEqual(expect.stringContaining("is SENT and has no alarm"));
});
