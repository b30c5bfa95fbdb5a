import { describe, expect, it } from "vitest";
import { defaultPolicy, policyWith } from "./policy.js";

const DAY = 86_400_000;

describe("policyWith", () => {
  it("applies changes to the default policy", () => {
    expect(policyWith({})).toEqual(defaultPolicy);
    expect(policyWith({ sessionTtl: 36_525 * DAY, smsCooldown: 0 })).toEqual({
      ...defaultPolicy,
      sessionTtl: 36_525 * DAY,
      smsCooldown: 0,
    });
  });

  it.each([
    ["sessionTtl", { sessionTtl: 36_525 * DAY + 1 }],
    ["orderTtl", { orderTtl: Number.POSITIVE_INFINITY }],
    ["codeTtl", { codeTtl: Number.NaN }],
    ["workLease", { workLease: -1 }],
    ["smsPerDay", { smsPerDay: 1.5 }],
    ["querySchedule[1]", { querySchedule: [1_000, 2 ** 53] }],
    ["testNumbers[0].expiresAt", { testNumbers: [{ mobileNo: "1", authCode: "1", expiresAt: 8.64e15 + 1 }] }],
  ] as const)("throws for a %s that could not be read back from storage", (name, changes) => {
    expect(() => policyWith(changes)).toThrow(RangeError);
    expect(() => policyWith(changes)).toThrow(name);
  });

  it("names every problem at once", () => {
    expect(() => policyWith({ smsPerDay: -1, codeTtl: 0.5, sourceFromTokens: [] })).toThrow(
      /smsPerDay must .* codeTtl must .* sourceFromTokens must contain at least one token\.$/,
    );
  });

  it("accepts a test number that never expires, or that expires at the last representable time", () => {
    const number = { mobileNo: "13900000000", authCode: "424242" };
    const testNumbers = [number, { ...number, expiresAt: 8.64e15 }];
    expect(policyWith({ testNumbers }).testNumbers).toEqual(testNumbers);
  });
});
