import { describe, expect, it } from "vitest";
import { defaultPolicy, policyWith } from "./policy.js";

const DAY = 86_400_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR);

/** What a host gets that sets nothing. A change of a value changes every such host. */
const DEFAULTS = {
  timeZone: "Asia/Shanghai",
  defaultCountry: "CN",
  statusMode: "always-200",
  sourceFromTokens: [
    "store_01",
    "store_02",
    "store_03",
    "store_04",
    "store_05",
    "store_06",
    "store_07",
    "store_08",
    "store_09",
    "store_10",
    "store_11",
    "store_12",
    "store_13",
    "store_14",
    "store_15",
    "store_16",
  ],
  payChannelNames: { WALLET_A: "WALLET_A", WALLET_B: "WALLET_B" },
  maxRequestBytes: 65_536,
  maxAmount: 10_000_000_000,
  maxBizNoLength: 64,
  maxGoodsTitleLength: 127,
  maxCustomerIdentityLength: 64,
  maxPayerIdLength: 128,
  maxCustomerNameLength: 64,
  maxServiceNoLength: 64,
  maxAttachDataBytes: 4_096,
  defaultPageSize: 20,
  maxPageSize: 100,
  orderTtl: 2 * HOUR,
  expiryMargin: 5 * MINUTE,
  querySchedule: [
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    ...HOURS,
    2 * DAY,
    3 * DAY,
    4 * DAY,
    5 * DAY,
    6 * DAY,
    7 * DAY,
  ],
  walletDeadline: 5 * SECOND,
  refreshInterval: 10 * SECOND,
  refreshDeadline: 800,
  workLease: 30 * SECOND,
  refundSchedule: [MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...HOURS, 2 * DAY],
  refundOverdue: 5 * DAY,
  supportRefundLimit: 20_000,
  approverCoolingOff: 7 * DAY,
  unsignedRefusalDelay: 10 * MINUTE,
  notificationSkew: 5 * MINUTE,
  eventDeadline: 10 * SECOND,
  eventTries: 12,
  eventRetryPauses: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    8 * HOUR,
  ],
  approvalOverdue: HOUR,
  billExceptionOverdue: 4 * HOUR,
  billDayOverdue: 14 * HOUR,
  alertPauses: [HOUR, 4 * HOUR, DAY],
  billDeadline: 10 * MINUTE,
  credentialWarning: 30 * DAY,
  maxUnreadableLines: 100,
  smsPerDay: 5,
  smsCooldown: 60_000,
  smsPerHourPerApp: 1_000,
  smsPerDayPerApp: 10_000,
  smsPerHourPerHost: 5_000,
  smsPerDayPerHost: 50_000,
  smsCountries: {},
  smsBlockedPrefixes: [],
  codeDigits: 6,
  codeTtl: 5 * MINUTE,
  codeTries: 5,
  codeTriesPerDay: 15,
  wrongCodesPerHourPerApp: 1_000,
  testNumbers: [],
  sessionTtl: 30 * DAY,
  maxSessions: 5,
  maxReportDays: 366,
  codeRetention: DAY,
  quotaRetention: 7 * DAY,
  sessionRetention: DAY,
  billLineRetention: DAY,
  eventDeliveryRetention: 7 * DAY,
  housekeepingRows: 500,
  housekeepingSteps: 20,
};

it("has exactly these defaults", () => {
  expect(defaultPolicy).toEqual(DEFAULTS);
});

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
