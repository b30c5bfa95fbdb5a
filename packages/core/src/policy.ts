import { isSupportedCountry } from "libphonenumber-js/max";
import {
  count,
  duration,
  durations,
  flag,
  isObject,
  listOf,
  memberProblems,
  members,
  optional,
  type PolicyProblem,
  type PolicyRule,
  record,
  text,
  texts,
} from "./policy-rules.js";
import { LAST_TIME, LONGEST_DURATION, LONGEST_KEY } from "./shared/limits.js";
import { phoneNumber } from "./shared/phone.js";
import { openUnits } from "./sessions/open-units.js";
import { channelProblems, type PayChannelNames, tokenProblems } from "./wire-names.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A phone number that gets no SMS and always has the same code, for app reviewers and tests. */
export interface TestNumber {
  /** The number, in E.164 or in the national format of `policy.defaultCountry`. */
  readonly mobileNo: string;
  /** The fixed code. */
  readonly authCode: string;
  /** Epoch milliseconds. From then on the number is an ordinary number. */
  readonly expiresAt?: number;
}

/**
 * Every limit, period and name on the wire that a host can set.
 *
 * Durations are milliseconds and amounts are cents. Use {@link policyWith} to change single values.
 */
export interface Policy {
  /** The IANA business time zone, which defines the day of SMS quotas, allowances and `resetAt`. */
  readonly timeZone: string;
  /** The country of a `mobileNo` without a `+` prefix: two letters, ISO 3166. */
  readonly defaultCountry: string;
  /**
   * The HTTP status of failures: always 200, or the status of the failure in the error catalog.
   *
   * Some failures have their own status in both modes.
   */
  readonly statusMode: "always-200" | "standard";

  /**
   * The store tokens that callers may send as `sourceFrom`, in addition to `others`.
   *
   * An order keeps its token, even if you remove the token from the list.
   */
  readonly sourceFromTokens: readonly string[];
  /** The two values of `payChannel` on the wire. */
  readonly payChannelNames: PayChannelNames;

  /** The largest request body, in bytes. */
  readonly maxRequestBytes: number;
  /** The largest `amount` of one order, in cents. */
  readonly maxAmount: number;
  /** The maximum length of a `bizNo`, in characters. */
  readonly maxBizNoLength: number;
  /** The maximum length of a `goodsTitle`, in characters. */
  readonly maxGoodsTitleLength: number;
  /** The maximum length of a `customerIdentity`, in characters. */
  readonly maxCustomerIdentityLength: number;
  /** The maximum length of a `payerId`, in characters. The wallets accept at most 128. */
  readonly maxPayerIdLength: number;
  /** The maximum length of a `customerName`, in characters. */
  readonly maxCustomerNameLength: number;
  /** The maximum length of a `serviceNo` or `serviceTypeNo`, in characters. */
  readonly maxServiceNoLength: number;
  /** The maximum size of `attachData`, in UTF-8 bytes. */
  readonly maxAttachDataBytes: number;
  /** The default `pageSize` of `/history.json`. */
  readonly defaultPageSize: number;
  /** The largest `pageSize` of `/history.json`. */
  readonly maxPageSize: number;

  /** How long the customer can pay an order. The wallet gets the same deadline. */
  readonly orderTtl: number;
  /**
   * How long after `orderTtl` an unpaid order is closed.
   *
   * A payment that the customer started in the last second can still arrive in this time.
   */
  readonly expiryMargin: number;
  /** The ages at which Tillkit queries the wallet about a PENDING order, in ascending order. */
  readonly querySchedule: readonly number[];
  /** The timeout of one wallet call. */
  readonly walletDeadline: number;
  /** The minimum time between two wallet queries that reads of one order cause. */
  readonly refreshInterval: number;
  /** How long a read waits for the wallet before it returns the stored order. */
  readonly refreshDeadline: number;
  /**
   * How long a worker's claim on due work lasts.
   *
   * If the worker dies, another worker can claim the work when the claim has expired.
   */
  readonly workLease: number;
  /**
   * The ages at which Tillkit queries the wallet about an open refund, in ascending order.
   *
   * An age counts from when the refund entered its present status. After the last age, the pause
   * between queries is the difference between the last two ages. If the wallet returns "too many
   * calls", the next pause is twice as long.
   */
  readonly refundSchedule: readonly number[];
  /**
   * The minimum time between two calls that send a refund.
   *
   * It applies to the reconciler, to operators and to retries, across all processes. WeChat Pay
   * accepts one refund call per minute for an order, and Alipay one in three seconds.
   */
  readonly refundSendPause: number;
  /**
   * How long a refund can stay REQUESTED or SENT before Tillkit raises an alarm.
   *
   * The default is longer than the three working days that a refund to a bank card can take. It is
   * shorter than the seven days after which WeChat Pay closes a refund that the merchant's balance
   * cannot pay.
   */
  readonly refundOverdue: number;
  /**
   * The cents of an order that operators may refund without a second operator.
   *
   * A request needs an approval if its amount, together with the earlier refunds of the order that
   * had no approval, exceeds this amount. 0: every refund needs one. Absent: no refund needs one.
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
   *   A second operator approves large refunds}
   */
  readonly refundApprovalOver?: number;
  /**
   * The cents of an order that operators of the role `support` may refund.
   *
   * The earlier refunds of the order that had no approval count too, so that several small requests
   * cannot exceed the limit. Roles above `support` have no limit.
   */
  readonly supportRefundLimit: number;
  /**
   * How long two operators count as one person after one of them gave rights to the other.
   *
   * In this time, neither of them can decide about refund requests of the other. The same applies
   * to two operators to whom a third operator gave rights. Giving rights is to create an account,
   * to reset it, to raise its role or to enable it again, in the dashboard. 0 turns the rule off.
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-approvals.md |
   *   A second operator approves large refunds}
   */
  readonly approverCoolingOff: number;
  /**
   * The delay after which an unsigned refusal of a wallet takes effect.
   *
   * A refund fails if the wallet refuses it again this long after the first refusal. After an
   * unsigned "there is no such order", an order closes this much later than after a signed one.
   *
   * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/unsigned-refusals.md |
   *   An unsigned refusal takes effect only after a delay}
   */
  readonly unsignedRefusalDelay: number;
  /** The largest accepted difference between the time of a wallet's message and Tillkit's clock. */
  readonly notificationSkew: number;

  /** The time that an event handler has for one event. Then the handler's abort signal aborts. */
  readonly eventDeadline: number;
  /**
   * The number of failed attempts after which the delivery of an event is parked. 0 counts as 1.
   */
  readonly eventTries: number;
  /**
   * The pauses after the failed attempts to deliver an event, in ascending order.
   *
   * Every further pause is as long as the last one. A pause ends at the next step of the background
   * task, which runs every 5 seconds by default.
   */
  readonly eventRetryPauses: readonly number[];

  /** How long a refund may wait for a second operator before it needs a person. */
  readonly approvalOverdue: number;
  /**
   * How long a difference in a bill may be OPEN before it needs a person.
   *
   * The time counts from when the difference was first found.
   */
  readonly billExceptionOverdue: number;
  /**
   * How long the bills of a day may stay uncompared after the end of the day in China.
   *
   * After this time, they need a person.
   */
  readonly billDayOverdue: number;
  /**
   * The pauses between two alerts about the same matter, in ascending order.
   *
   * Every further pause is as long as the last one. The alerts end when the matter is dealt with.
   */
  readonly alertPauses: readonly number[];

  /** The timeout for reading one bill of a day. */
  readonly billDeadline: number;
  /** The observer receives `credential.expiring` this long before a credential expires. */
  readonly credentialWarning: number;
  /**
   * The maximum number of unreadable lines in one bill.
   *
   * Each unreadable line becomes an exception. Tillkit rejects a bill with more unreadable lines.
   * It also rejects a bill with more than ten unreadable lines and fewer readable ones.
   */
  readonly maxUnreadableLines: number;

  /** The number of accepted SMS requests per phone number, app and business day. */
  readonly smsPerDay: number;
  /**
   * The minimum time between two SMS requests for one phone number, also after a refusal.
   *
   * 0 turns the limit off.
   */
  readonly smsCooldown: number;
  /**
   * The number of SMS of one app in an hour. At 80 % of this or another shared limit, an alert
   * warns.
   */
  readonly smsPerHourPerApp: number;
  /** The number of SMS of one app in a business day. */
  readonly smsPerDayPerApp: number;
  /** The number of SMS of all apps in an hour. */
  readonly smsPerHourPerHost: number;
  /** The number of SMS of all apps in a business day. */
  readonly smsPerDayPerHost: number;
  /**
   * The reserved part of the limits of the host and of countries, for apps that have sent little.
   *
   * In per cent. When the open part of a limit is used up, only apps that have sent at most a
   * quarter of the reserve get more codes. So an attack on one app does not stop the logins of the
   * others. 0 turns the reserve off, for a host with one app.
   */
  readonly smsReserve: number;
  /**
   * The countries whose numbers get codes (ISO 3166, two letters), each with its SMS per business
   * day.
   *
   * If empty, only numbers of `defaultCountry` get codes, and the limits of the app and host apply.
   */
  readonly smsCountries: Readonly<Record<string, number>>;
  /**
   * Ranges of mobile numbers that the numbering plan of Tillkit does not know yet.
   *
   * In E.164 with `#` for each free digit, such as `+86154########`.
   */
  readonly newMobileNumbers: readonly string[];
  /** The prefixes of numbers in E.164 that get no codes, such as `+8617`. */
  readonly smsBlockedPrefixes: readonly string[];
  /** The number of digits of an SMS code. */
  readonly codeDigits: number;
  /** How long an SMS code is valid. */
  readonly codeTtl: number;
  /** The number of attempts that one SMS code allows. */
  readonly codeTries: number;
  /** The number of wrong attempts per phone number, app and business day, across all codes. */
  readonly codeTriesPerDay: number;
  /**
   * The number of wrong codes for all phone numbers of one app in an hour. After that, the logins
   * of the app pause.
   */
  readonly wrongCodesPerHourPerApp: number;
  /** Phone numbers with fixed codes. Rejected for an app that has a PROD pay tool. */
  readonly testNumbers: readonly TestNumber[];
  /** How long a session token is valid. */
  readonly sessionTtl: number;
  /**
   * Whether the use of a session extends it to `sessionTtl` from now, at most once a day.
   *
   * `sessionTtl` must then be at least 2 days.
   */
  readonly slidingSessionExpiry: boolean;
  /** The maximum number of live sessions per customer. One more login ends the oldest session. */
  readonly maxSessions: number;
  /**
   * The time without a login after which a phone number starts a new customer.
   *
   * Carriers give numbers to other people. A customer with a live session keeps the number. Absent:
   * a number belongs to its customer for ever.
   */
  readonly idleNumberPeriod?: number;

  /** The longest range of a downloads report, in days, including both ends. */
  readonly maxReportDays: number;
  /**
   * How many requests with unknown ids of downloads clients one address may send in an hour.
   *
   * Each process counts separately.
   */
  readonly unknownIdsPerHour: number;

  /** How long an SMS code stays stored after it expires. */
  readonly codeRetention: number;
  /** How long the counters of a business day stay stored after the day ends. */
  readonly quotaRetention: number;
  /** How long a session stays stored after it expires. */
  readonly sessionRetention: number;
  /**
   * The time for which an order keeps the name of the customer (`customerName`).
   *
   * Absent: as long as the order.
   */
  readonly customerNameRetention?: number;
  /** How long staged bill lines stay stored if their run does not finish. */
  readonly billLineRetention: number;
  /** How long the lines of a bill stay stored for the accounting reports, from its day on. */
  readonly keptBillRetention: number;
  /**
   * How long the delivery of an order's events stays stored after the last event was delivered.
   *
   * Later events of the order are delivered even after this time.
   */
  readonly eventDeliveryRetention: number;
  /** The maximum number of rows that one housekeeping step removes. */
  readonly housekeepingRows: number;
  /** The maximum number of steps per kind of row in one housekeeping run. */
  readonly housekeepingSteps: number;
}

const hourly = Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR);
const daily = Array.from({ length: 6 }, (_, index) => (index + 2) * DAY);

/** The default limits and periods. */
export const defaultPolicy: Policy = {
  timeZone: "Asia/Shanghai",
  defaultCountry: "CN",
  statusMode: "always-200",
  sourceFromTokens: Array.from({ length: 16 }, (_, index) => `store_${String(index + 1).padStart(2, "0")}`),
  payChannelNames: { WALLET_A: "WALLET_A", WALLET_B: "WALLET_B" },
  maxRequestBytes: 64 * 1024,
  maxAmount: 10_000_000_000,
  maxBizNoLength: 64,
  maxGoodsTitleLength: 127,
  maxCustomerIdentityLength: 64,
  maxPayerIdLength: 128,
  maxCustomerNameLength: 64,
  maxServiceNoLength: 64,
  maxAttachDataBytes: 4096,
  defaultPageSize: 20,
  maxPageSize: 100,
  orderTtl: 2 * HOUR,
  expiryMargin: 5 * MINUTE,
  querySchedule: [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...hourly, ...daily],
  walletDeadline: 5 * SECOND,
  refreshInterval: 10 * SECOND,
  refreshDeadline: 800,
  workLease: 30 * SECOND,
  refundSchedule: [MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...hourly, 2 * DAY],
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
  smsCooldown: MINUTE,
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

/**
 * Returns the default policy with `changes` applied.
 *
 * @returns the policy, for `ports.policy`.
 * @throws RangeError that names every problem: a value of another type or out of its range, values
 *   that contradict each other, and a name that a policy does not have.
 * @example
 * ```ts
 * import { policyWith } from "@tillkit/core";
 *
 * const policy = policyWith({ orderTtl: 30 * 60 * 1000, maxSessions: 3 });
 * ```
 */
export function policyWith(changes: Partial<Policy>): Policy {
  const policy = { ...defaultPolicy, ...changes };
  const problems = policyProblems(policy);
  if (problems.length === 0) return policy;
  throw new RangeError(problems.map(({ path, rule }) => `The policy's ${path} ${rule}.`).join(" "));
}

/**
 * Returns every value of a policy that is out of range, by the rules of {@link policyWith}.
 *
 * @returns the problems. Empty if the policy is usable.
 * @example
 * ```ts
 * import { defaultPolicy, policyProblems } from "@tillkit/core";
 *
 * const [problem] = policyProblems({ ...defaultPolicy, smsPerDay: -1 });
 * console.log(problem?.path, problem?.rule);
 * ```
 */
export function policyProblems(policy: Policy): readonly PolicyProblem[] {
  const values: unknown = policy;
  if (!isObject(values)) return [{ path: "the policy", rule: "must be one object" }];
  const wrong = memberProblems(RULES, values, "");
  const usable = (name: keyof Policy) =>
    !wrong.some(({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  return [
    ...wrong,
    ...contradictions(policy).flatMap(([names, problem]) => (names.every(usable) ? problem() : [])),
  ];
}

/**
 * Returns the values that a field of the policy may have, in words.
 *
 * @returns the range, such as `2 min to 15 d`. Empty for names, and for an unknown field.
 * @example
 * ```ts
 * import { policyRange } from "@tillkit/core";
 *
 * policyRange("orderTtl"); // "2 min to 15 d"
 * ```
 */
export function policyRange(field: string): string {
  return new Map<string, PolicyRule>(Object.entries(RULES)).get(field)?.range ?? "";
}

const COUNT = 1_000_000;
const YEAR = 366 * DAY;
const whileStored = duration({ least: 0, most: LONGEST_DURATION });
const upToYear = duration({ least: 0, most: YEAR });
const attempts = count({ least: 0, most: COUNT });
/**
 * A primary key has two such texts and the id of an app, and an index key has at most 2,704 bytes.
 */
const keyLength = count(
  { least: 1, most: LONGEST_KEY, reason: "an index of the database holds no longer texts" },
  "characters",
);
const country = text(
  "two letters, ISO 3166",
  "must be the two capital letters of a country, such as CN",
  (value) => /^[A-Z]{2}$/.test(value) && isSupportedCountry(value),
);
const anyText = text("", "must be text", () => true);
const cents = {
  least: 1,
  most: 10_000_000_000,
  reason: "Alipay takes at most 100,000,000 yuan",
};

const RULES = {
  timeZone: text("IANA name", "must be an IANA time zone, such as Asia/Shanghai", isTimeZone),
  defaultCountry: country,
  statusMode: text("`always-200` or `standard`", "must be always-200 or standard", (value) =>
    ["always-200", "standard"].includes(value),
  ),
  sourceFromTokens: texts(anyText),
  payChannelNames: members({ WALLET_A: anyText, WALLET_B: anyText }),
  maxRequestBytes: count(
    { least: 4_096, most: 67_108_864, reason: "notifications of the wallets have up to 4 KiB" },
    "bytes",
  ),
  maxAmount: count(cents, "cents"),
  maxBizNoLength: count(
    { least: 1, most: 96, reason: "the wallets take addresses of 255 characters, which contain it" },
    "characters",
  ),
  maxGoodsTitleLength: count(
    { least: 1, most: 256, reason: "Alipay takes at most 256 characters" },
    "characters",
  ),
  maxCustomerIdentityLength: keyLength,
  maxPayerIdLength: count(
    { least: 1, most: 128, reason: "the wallets take at most 128 characters" },
    "characters",
  ),
  maxCustomerNameLength: count({ least: 1, most: 1_000 }, "characters"),
  maxServiceNoLength: keyLength,
  maxAttachDataBytes: count({ least: 0, most: 1_048_576 }, "bytes"),
  defaultPageSize: count({ least: 1, most: 1_000 }, "orders"),
  maxPageSize: count({ least: 1, most: 1_000 }, "orders"),
  orderTtl: duration({
    least: 2 * MINUTE,
    most: 15 * DAY,
    reason:
      "WeChat Pay takes a time_expire of 1 minute to 90 days after it gets the order, and Alipay of 1 minute to 15 days",
  }),
  expiryMargin: duration({ least: 0, most: DAY }),
  querySchedule: durations({ least: 1, most: YEAR }),
  walletDeadline: duration({ least: 100, most: 2 * MINUTE }),
  refreshInterval: duration({ least: 0, most: DAY }),
  refreshDeadline: duration({ least: 0, most: 2 * MINUTE }),
  workLease: duration({ least: SECOND, most: DAY }),
  refundSchedule: durations({ least: 1, most: YEAR }),
  refundSendPause: duration({
    least: MINUTE,
    most: DAY,
    reason: "WeChat Pay accepts one refund call per minute for an order",
  }),
  refundOverdue: upToYear,
  refundApprovalOver: optional(count({ ...cents, least: 0 }, "cents")),
  supportRefundLimit: count({ ...cents, least: 0 }, "cents"),
  approverCoolingOff: upToYear,
  unsignedRefusalDelay: upToYear,
  notificationSkew: duration({ least: SECOND, most: DAY }),
  eventDeadline: duration({ least: 1, most: DAY }),
  eventTries: count({ least: 0, most: COUNT }, "attempts"),
  eventRetryPauses: durations({ least: 0, most: YEAR }),
  approvalOverdue: upToYear,
  billExceptionOverdue: upToYear,
  billDayOverdue: upToYear,
  alertPauses: durations({ least: 0, most: YEAR }),
  billDeadline: duration({ least: SECOND, most: DAY }),
  credentialWarning: upToYear,
  maxUnreadableLines: count({ least: 0, most: COUNT }, "lines"),
  smsPerDay: attempts,
  smsCooldown: duration({ least: 0, most: 30 * DAY }),
  smsPerHourPerApp: attempts,
  smsPerDayPerApp: attempts,
  smsPerHourPerHost: attempts,
  smsPerDayPerHost: attempts,
  smsReserve: count(
    { least: 0, most: 20, reason: "an alert warns when 80 % of a limit are used, before apps are refused" },
    "%",
  ),
  smsCountries: record(country, attempts),
  newMobileNumbers: texts(
    text(
      "`+`, digits, and `#` for each free digit; 7 to 15 digits in all",
      "must be + and 7 to 15 digits, the last of them #, such as +86154########",
      (value) => /^\+[1-9]\d*#+$/.test(value) && value.length >= 8 && value.length <= 16,
    ),
  ),
  smsBlockedPrefixes: texts(
    text("`+` and 1 to 15 digits", "must be + and 1 to 15 digits, such as +8617", (value) =>
      /^\+[1-9]\d{0,14}$/.test(value),
    ),
  ),
  codeDigits: count(
    {
      least: 4,
      most: 8,
      reason: "shorter codes can be guessed, and carriers and apps take no longer ones",
    },
    "digits",
  ),
  codeTtl: duration({ least: 30 * SECOND, most: DAY }),
  codeTries: count({ least: 1, most: COUNT }, "attempts"),
  codeTriesPerDay: count({ least: 1, most: COUNT }, "attempts"),
  wrongCodesPerHourPerApp: count({ least: 1, most: COUNT }, "attempts"),
  testNumbers: listOf(
    members({
      mobileNo: anyText,
      authCode: anyText,
      expiresAt: optional(count({ least: 0, most: LAST_TIME })),
    }),
  ),
  sessionTtl: duration({ least: SECOND, most: LONGEST_DURATION }),
  slidingSessionExpiry: flag(),
  maxSessions: count({ least: 1, most: 1_000 }, "sessions"),
  idleNumberPeriod: optional(
    duration({ least: 30 * DAY, most: LONGEST_DURATION, reason: "no carrier gives a number away sooner" }),
  ),
  maxReportDays: count({ least: 1, most: 3_660 }, "days"),
  unknownIdsPerHour: count({ least: 1, most: COUNT }, "requests"),
  codeRetention: whileStored,
  quotaRetention: whileStored,
  sessionRetention: whileStored,
  customerNameRetention: optional(whileStored),
  billLineRetention: whileStored,
  keptBillRetention: whileStored,
  eventDeliveryRetention: whileStored,
  housekeepingRows: count({ least: 1, most: 10_000 }, "rows"),
  housekeepingSteps: count({ least: 1, most: 10_000 }, "steps"),
} satisfies { readonly [Name in keyof Policy]-?: PolicyRule };

/** Rules about several fields. A rule counts only if each of its fields is valid alone. */
function contradictions(
  policy: Policy,
): readonly (readonly [readonly (keyof Policy)[], () => readonly PolicyProblem[]])[] {
  const atMost = (lower: NumberField, upper: NumberField, reason: string) =>
    [
      [lower, upper],
      () => {
        const most = policy[upper];
        const rule = `must be at most ${upper} (${most}): ${reason}`;
        return policy[lower] <= most ? [] : [{ path: lower, rule }];
      },
    ] as const;
  const atMostOpen = (ofApp: NumberField, ofHost: NumberField) =>
    [
      [ofApp, ofHost, "smsReserve"],
      () => {
        const most = openUnits(policy[ofHost], policy);
        const rule = `must be at most ${most}, which ${ofHost} (${policy[ofHost]}) leaves without the smsReserve (${policy.smsReserve} %): one app would use up the messages of all`;
        return policy[ofApp] <= most ? [] : [{ path: ofApp, rule }];
      },
    ] as const;
  return [
    atMost("defaultPageSize", "maxPageSize", "a list without a page size would be refused"),
    atMost("refreshDeadline", "walletDeadline", "no call takes longer"),
    atMost("walletDeadline", "workLease", "another worker would repeat a call that still runs"),
    atMost("billDeadline", "billLineRetention", "lines would be removed while the bill is read"),
    atMost("smsPerHourPerApp", "smsPerDayPerApp", "the day would end the hour"),
    atMostOpen("smsPerHourPerApp", "smsPerHourPerHost"),
    atMostOpen("smsPerDayPerApp", "smsPerDayPerHost"),
    atMost("smsPerHourPerHost", "smsPerDayPerHost", "the day would end the hour"),
    atMost("codeTries", "codeTriesPerDay", "the tries of the day would end those of a code"),
    [
      ["maxAttachDataBytes", "maxRequestBytes"],
      () => {
        const most = Math.floor(policy.maxRequestBytes / 4);
        const rule = `must be at most ${most}, a quarter of maxRequestBytes: a form encodes a byte as up to three`;
        return policy.maxAttachDataBytes <= most ? [] : [{ path: "maxAttachDataBytes", rule }];
      },
    ],
    [
      ["slidingSessionExpiry", "sessionTtl"],
      () =>
        policy.slidingSessionExpiry && policy.sessionTtl < 2 * DAY
          ? [
              {
                path: "slidingSessionExpiry",
                rule: `must be false if sessionTtl (${policy.sessionTtl}) is shorter than 2 days: a use extends a session once a day`,
              },
            ]
          : [],
    ],
    [["sourceFromTokens"], () => tokenProblems(policy.sourceFromTokens)],
    [["payChannelNames"], () => channelProblems(policy.payChannelNames)],
    [["testNumbers", "defaultCountry", "codeDigits"], () => testNumberProblems(policy)],
  ];
}

/** The fields that are always numbers. */
type NumberField = {
  [Name in keyof Policy]-?: Policy[Name] extends number ? Name : never;
}[keyof Policy];

/** Returns the problems of the test numbers. The texts contain no phone number and no code. */
function testNumberProblems(policy: Policy): readonly PolicyProblem[] {
  const { testNumbers, defaultCountry, codeDigits } = policy;
  const numbers = testNumbers.map(({ mobileNo }) => phoneNumber(mobileNo, policy));
  return testNumbers.flatMap(({ authCode }, index) => {
    const at = `testNumbers[${index}]`;
    const number = numbers[index];
    const rules: readonly (readonly [boolean, string, string])[] = [
      [
        number === undefined,
        "mobileNo",
        `must be a phone number in E.164, such as +8613800138000, or of ${defaultCountry}`,
      ],
      [
        number !== undefined && numbers.indexOf(number) < index,
        "mobileNo",
        "must not repeat an earlier number",
      ],
      [
        !new RegExp(`^\\d{${codeDigits}}$`).test(authCode),
        "authCode",
        `must have ${codeDigits} digits (codeDigits), because apps ask for so many`,
      ],
    ];
    return rules.flatMap(([isBroken, name, rule]) => (isBroken ? [{ path: `${at}.${name}`, rule }] : []));
  });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
