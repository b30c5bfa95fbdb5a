import { expect, it } from "vitest";
import { isMissingBill } from "./is-missing-bill.js";

const called = { type: "wallet.called", payChannel: "WALLET_A", durationMs: 1 } as const;

it.each([
  ["readBill", "no-bill", true],
  ["readFundFlow", "not-ready", true],
  ["readBill", "other", false],
  ["reportShipment", "not-ready", false],
] as const)("isMissingBill: %s with the reason %s is %s", (call, reason, isMissing) => {
  expect(isMissingBill({ ...called, call, outcome: "rejected", reason })).toBe(isMissing);
});
