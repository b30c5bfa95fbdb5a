import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { importedServiceInput } from "../services/imported-service.js";
import { importedCustomerInput } from "../sessions/imported-customer.js";
import { parseInput } from "../shared/input.js";
import { importedOrderInput } from "./imported-order.js";

const TIME = 1_750_000_000_000;
const ORDER = {
  appId: "old",
  bizNo: "b-1",
  id: "w-1",
  customerIdentity: "user-1",
  amount: 600,
  goodsTitle: "Month",
  payChannel: "WALLET_A",
  paymentStatus: "PAID",
  pmtDt: TIME + 1_000,
  walletTradeNo: "4200001234202506150000000001",
  gmtCreate: TIME,
  gmtModified: TIME + 2_000,
};
const SERVICE = {
  appId: "old",
  customerIdentity: "user-1",
  serviceTypeNo: "T-1",
  serviceNo: "S-1",
  serviceName: "Month",
  expireTime: TIME + 1_000,
  gmtCreate: TIME,
};
const CUSTOMER = { appId: "old", mobileNo: "+8613800138000", customerId: "u_1", gmtCreate: TIME };

type Changes = Readonly<Record<string, unknown>>;

/** Returns the parameter that a line is refused for, and the rule. Empty for a valid line. */
function refusal(record: "order" | "service" | "customer", changes: Changes): readonly string[] {
  const parsed =
    record === "order"
      ? parseInput(importedOrderInput(defaultPolicy), { ...ORDER, ...changes })
      : record === "service"
        ? parseInput(importedServiceInput(defaultPolicy), { ...SERVICE, ...changes })
        : parseInput(importedCustomerInput(defaultPolicy), { ...CUSTOMER, ...changes });
  return parsed.match<readonly string[]>(
    () => [],
    (failure) => (failure.name === "parameter.invalid" ? [failure.parameter, failure.rule] : [failure.name]),
  );
}

const TIMES = [
  ["order", "gmtCreate"],
  ["order", "gmtModified"],
  ["order", "pmtDt"],
  ["service", "gmtCreate"],
  ["service", "expireTime"],
  ["customer", "gmtCreate"],
] as const;

describe.each(TIMES)("the time of an imported %s: %s", (record, member) => {
  it.each([
    [1_750_000_000, "time-in-seconds"],
    [1_750_000_000.123, "time-in-seconds"],
    [1_852_592_000, "time-in-seconds"],
    [253_402_300_799, "time-in-seconds"],
    [1_750_000_000_000_000, "time-in-microseconds"],
    [1_750_000_000_000_000_000, "time-in-nanoseconds"],
    [0, "time-too-early"],
    [-1, "time-too-early"],
    [20_250, "time-too-early"],
    [TIME + 0.5, "time"],
    ["1750000000000", "time"],
    ["2025-06-15T00:00:00Z", "time"],
  ])("is refused if it is %s", (value, rule) => {
    expect(refusal(record, { [member]: value })).toEqual([member, rule]);
  });
});

describe("the order of the times of an imported record", () => {
  it("accepts times in whole seconds, and clocks that differ by minutes", () => {
    expect(refusal("order", {})).toEqual([]);
    expect(refusal("order", { gmtCreate: TIME + 999, pmtDt: TIME, gmtModified: TIME + 999 })).toEqual([]);
    expect(refusal("order", { pmtDt: TIME + 300_000, gmtModified: TIME })).toEqual([]);
    expect(refusal("service", { expireTime: TIME })).toEqual([]);
    expect(refusal("service", { expireTime: TIME + 36_525 * 86_400_000 })).toEqual([]);
    // The oldest time, and the same time a millisecond earlier.
    const first = Date.UTC(2003, 9, 1);
    expect(refusal("customer", { gmtCreate: first })).toEqual([]);
    expect(refusal("customer", { gmtCreate: first - 1 })).toEqual(["gmtCreate", "time-in-seconds"]);
  });

  it.each([
    ["order", { pmtDt: TIME - 1 }, ["pmtDt", "before-creation"]],
    ["order", { gmtModified: TIME - 1 }, ["gmtModified", "before-creation"]],
    ["order", { pmtDt: TIME + 300_001, gmtModified: TIME }, ["pmtDt", "after-change"]],
    ["service", { expireTime: TIME - 1 }, ["expireTime", "before-creation"]],
    ["service", { expireTime: TIME + 36_525 * 86_400_000 + 1 }, ["expireTime", "service-length"]],
  ] as const)("refuses an %s with %o", (record, changes, problem) => {
    expect(refusal(record, changes)).toEqual(problem);
  });
});

describe("the numbers of an imported order", () => {
  it.each([
    ["id", "4.2E+27"],
    ["id", "w 1"],
    ["id", "订单1"],
    ["walletTradeNo", "4.2E+27"],
    ["walletTradeNo", "`4200001234202506150000000001"],
    ["walletTradeNo", "4200001234，1"],
  ])("refuses %s %s", (member, value) => {
    expect(refusal("order", { [member]: value })).toEqual([member, "wallet-number"]);
  });

  it.each([
    ["id", "1234567890abcDEF_-|*"],
    ["walletTradeNo", "2025061522001412345678901234"],
    ["walletTradeNo", ""],
  ])("accepts %s %s", (member, value) => {
    expect(refusal("order", { [member]: value })).toEqual([]);
  });

  it("refuses a bizNo that no caller could send", () => {
    for (const bizNo of ["a b", "订单", "x".repeat(65)]) expect(refusal("order", { bizNo })[0]).toBe("bizNo");
  });
});
