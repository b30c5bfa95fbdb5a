import { describe, expect, it } from "vitest";
import { defaultPolicy, policyProblems, policyRange, policyWith } from "./policy.js";

const DAY = 86_400_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const HOURS = Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR);

/** The policy of a host that sets no value. A change of a default changes every such host. */
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
  refundSendPause: MINUTE,
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
  smsReserve: 20,
  smsCountries: {},
  newMobileNumbers: [],
  smsBlockedPrefixes: [],
  codeDigits: 6,
  codeTtl: 5 * MINUTE,
  codeTries: 5,
  codeTriesPerDay: 15,
  wrongCodesPerHourPerApp: 1_000,
  testNumbers: [],
  sessionTtl: 30 * DAY,
  slidingSessionExpiry: false,
  maxSessions: 5,
  maxReportDays: 366,
  unknownIdsPerHour: 60,
  codeRetention: DAY,
  quotaRetention: 7 * DAY,
  sessionRetention: DAY,
  billLineRetention: DAY,
  keptBillRetention: 731 * DAY,
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
  ] as const)("throws for a %s that is out of range", (name, changes) => {
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
    const testNumbers = [number, { ...number, mobileNo: "+8613900000001", expiresAt: 8.64e15 }];
    expect(policyWith({ testNumbers }).testNumbers).toEqual(testNumbers);
  });
});

const CENTURY = 36_525 * DAY;
const YEAR = 366 * DAY;
const MILLION = 1_000_000;

/** The lowest and the highest value of each number. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  maxRequestBytes: [4_096, 67_108_864],
  maxAmount: [1, 10_000_000_000],
  maxBizNoLength: [1, 96],
  maxGoodsTitleLength: [1, 256],
  maxCustomerIdentityLength: [1, 255],
  maxPayerIdLength: [1, 128],
  maxCustomerNameLength: [1, 1_000],
  maxServiceNoLength: [1, 255],
  maxAttachDataBytes: [0, 1_048_576],
  defaultPageSize: [1, 1_000],
  maxPageSize: [1, 1_000],
  orderTtl: [2 * MINUTE, 15 * DAY],
  expiryMargin: [0, DAY],
  walletDeadline: [100, 2 * MINUTE],
  refreshInterval: [0, DAY],
  refreshDeadline: [0, 2 * MINUTE],
  workLease: [1_000, DAY],
  refundSendPause: [MINUTE, DAY],
  refundOverdue: [0, YEAR],
  refundApprovalOver: [0, 10_000_000_000],
  supportRefundLimit: [0, 10_000_000_000],
  approverCoolingOff: [0, YEAR],
  unsignedRefusalDelay: [0, YEAR],
  notificationSkew: [1_000, DAY],
  eventDeadline: [1, DAY],
  eventTries: [0, MILLION],
  approvalOverdue: [0, YEAR],
  billExceptionOverdue: [0, YEAR],
  billDayOverdue: [0, YEAR],
  billDeadline: [1_000, DAY],
  credentialWarning: [0, YEAR],
  maxUnreadableLines: [0, MILLION],
  smsPerDay: [0, MILLION],
  smsCooldown: [0, 30 * DAY],
  smsPerHourPerApp: [0, MILLION],
  smsPerDayPerApp: [0, MILLION],
  smsPerHourPerHost: [0, MILLION],
  smsReserve: [0, 20],
  smsPerDayPerHost: [0, MILLION],
  codeDigits: [4, 8],
  codeTtl: [30_000, DAY],
  codeTries: [1, MILLION],
  codeTriesPerDay: [1, MILLION],
  wrongCodesPerHourPerApp: [1, MILLION],
  sessionTtl: [1_000, CENTURY],
  maxSessions: [1, 1_000],
  idleNumberPeriod: [30 * DAY, CENTURY],
  maxReportDays: [1, 3_660],
  unknownIdsPerHour: [1, MILLION],
  codeRetention: [0, CENTURY],
  quotaRetention: [0, CENTURY],
  sessionRetention: [0, CENTURY],
  customerNameRetention: [0, CENTURY],
  billLineRetention: [0, CENTURY],
  keptBillRetention: [0, CENTURY],
  eventDeliveryRetention: [0, CENTURY],
  housekeepingRows: [1, 10_000],
  housekeepingSteps: [1, 10_000],
};

/** The problems of the default policy with `changes`, whose values may have any type. */
const problemsOf = (changes: object) => policyProblems({ ...defaultPolicy, ...changes });
/** Whether a field breaks its own bounds. Other fields may contradict it. */
const isOutside = (name: string, value: unknown) =>
  problemsOf({ [name]: value }).some(
    ({ path, rule }) => path === name && !/^must be at most .*(?:\(|quarter)/u.test(rule),
  );

describe("the bounds of the policy", () => {
  it("are written out in this test for every number", () => {
    const numbers = Object.entries(defaultPolicy).filter(([, value]) => typeof value === "number");
    expect(Object.keys(BOUNDS)).toEqual(expect.arrayContaining(numbers.map(([name]) => name)));
  });

  it.each(Object.entries(BOUNDS))("of %s are %j", (name, [least, most]) => {
    for (const value of [least, most]) expect([value, isOutside(name, value)]).toEqual([value, false]);
    for (const value of [least - 1, most + 1, least + 0.5, String(least), null, Number.NaN, [least]])
      expect([value, isOutside(name, value)]).toEqual([value, true]);
  });

  it.each(["querySchedule", "refundSchedule", "eventRetryPauses", "alertPauses"])(
    "of %s are those of each duration, in ascending order",
    (name) => {
      for (const value of [[YEAR], [1, 2, YEAR]]) expect(problemsOf({ [name]: value })).toEqual([]);
      for (const value of [[], [YEAR + 1], [-1], [2, 1], [1, 1], ["1"], 1, "1", null])
        expect([value, problemsOf({ [name]: value }).length > 0]).toEqual([value, true]);
    },
  );

  it("are named in the problem, with their reason and in both units", () => {
    expect(problemsOf({ orderTtl: 30 * DAY })).toEqual([
      {
        path: "orderTtl",
        rule: "must be a whole number of milliseconds from 120000 (2 min) to 1296000000 (15 d): WeChat Pay takes a time_expire of 1 minute to 90 days after it gets the order, and Alipay of 1 minute to 15 days",
      },
    ]);
    expect(policyRange("orderTtl")).toBe("2 min to 15 d");
  });
});

describe("the other values of the policy", () => {
  it.each([
    ["timeZone", "Mars/Olympus"],
    ["timeZone", 8],
    ["defaultCountry", "XX"],
    ["defaultCountry", "cn"],
    ["statusMode", "loud"],
    ["statusMode", "toString"],
    ["sourceFromTokens", "huawei"],
    ["sourceFromTokens", [1]],
    ["payChannelNames", { WALLET_A: "x" }],
    ["payChannelNames", { WALLET_A: "x", WALLET_B: "y", WALLET_C: "z" }],
    ["payChannelNames", null],
    ["smsCountries", { XX: 1 }],
    ["smsCountries", { CN: -1 }],
    ["smsCountries", []],
    ["smsBlockedPrefixes", ["86"]],
    ["newMobileNumbers", ["+86154"]],
    ["newMobileNumbers", ["+86154#########################"]],
    ["slidingSessionExpiry", 1],
    ["slidingSessionExpiry", "false"],
    ["testNumbers", {}],
    ["testNumbers", [null]],
    ["orderTTL", 1],
    ["__proto__x", 1],
  ])("reject %s with the value %j", (name, value) => {
    const [problem, ...more] = problemsOf({ [name]: value });
    expect(problem?.path.startsWith(name)).toBe(true);
    expect(more).toEqual([]);
  });

  it("report a missing field, and a policy that is no object", () => {
    expect(policyProblems({ ...defaultPolicy, codeTtl: Number.NaN })).toHaveLength(1);
    expect(problemsOf({ codeTtl: undefined })).toMatchObject([{ path: "codeTtl" }]);
  });
});

describe("values that depend on each other", () => {
  it.each([
    [{ defaultPageSize: 50, maxPageSize: 49 }, "defaultPageSize must be at most maxPageSize (49)"],
    [{ walletDeadline: 700 }, "refreshDeadline must be at most walletDeadline (700)"],
    [{ walletDeadline: 31_000 }, "walletDeadline must be at most workLease (30000)"],
    [{ billLineRetention: 599_999 }, "billDeadline must be at most billLineRetention (599999)"],
    [{ smsPerDayPerApp: 999 }, "smsPerHourPerApp must be at most smsPerDayPerApp (999)"],
    [{ smsPerHourPerHost: 1_248 }, "smsPerHourPerApp must be at most 999, which smsPerHourPerHost (1248)"],
    [
      { smsPerDayPerHost: 10_000, smsReserve: 1 },
      "smsPerDayPerApp must be at most 9900, which smsPerDayPerHost (10000) leaves without the smsReserve (1 %)",
    ],
    [
      { smsPerDayPerHost: 4_999, smsPerDayPerApp: 1_000 },
      "smsPerHourPerHost must be at most smsPerDayPerHost (4999)",
    ],
    [{ codeTriesPerDay: 4 }, "codeTries must be at most codeTriesPerDay (4)"],
    [
      { slidingSessionExpiry: true, sessionTtl: 2 * DAY - 1 },
      "slidingSessionExpiry must be false if sessionTtl (172799999) is shorter than 2 days",
    ],
    [{ maxAttachDataBytes: 16_385 }, "maxAttachDataBytes must be at most 16384, a quarter of"],
  ])("are rejected if they contradict each other: %j", (changes, rule) => {
    const found = problemsOf(changes).map((problem) => `${problem.path} ${problem.rule}`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(rule);
  });

  it("are accepted if they just fit", () => {
    const border = { defaultPageSize: 50, maxPageSize: 50, walletDeadline: 30_000, codeTriesPerDay: 5 };
    expect(problemsOf({ slidingSessionExpiry: true, sessionTtl: 2 * DAY })).toEqual([]);
    expect(problemsOf({ ...border, maxAttachDataBytes: 16_384 })).toEqual([]);
  });
});

describe("test numbers", () => {
  const problems = (testNumbers: readonly object[], changes = {}) =>
    problemsOf({ testNumbers, ...changes }).map(({ path, rule }) => `${path} ${rule}`);
  const valid = { mobileNo: "+8613800138000", authCode: "123456" };

  it("are phone numbers with codes of codeDigits digits", () => {
    expect(problems([valid, { ...valid, mobileNo: "13800138001" }])).toEqual([]);
    expect(problems([{ ...valid, authCode: "1234" }], { codeDigits: 4 })).toEqual([]);
    for (const mobileNo of ["1", "+861380013800", "", "13800138000x"])
      expect(problems([{ ...valid, mobileNo }])).toEqual([
        "testNumbers[0].mobileNo must be a phone number in E.164, such as +8613800138000, or of CN",
      ]);
    for (const authCode of ["12345", "1234567", "12345a", ""])
      expect(problems([{ ...valid, authCode }])).toEqual([
        "testNumbers[0].authCode must have 6 digits (codeDigits), because apps ask for so many",
      ]);
  });

  it("must not repeat, even in another form", () => {
    expect(problems([valid, { ...valid, mobileNo: "138 0013 8000" }])).toEqual([
      "testNumbers[1].mobileNo must not repeat an earlier number",
    ]);
  });
});
