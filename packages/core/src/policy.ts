import { LAST_TIME, LONGEST_DURATION } from "./shared/limits.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A phone number that never gets an SMS and always has the same code: for store reviewers and automated tests. */
export interface TestNumber {
  /** The number, in E.164 or as a customer of `policy.defaultCountry` would type it. */
  readonly mobileNo: string;
  /** Its fixed code. */
  readonly authCode: string;
  /** Epoch milliseconds after which it is an ordinary number again. */
  readonly expiresAt?: number;
}

/** Every limit of the service. Times are milliseconds, amounts cents. A host changes one with `policyWith({ … })`. */
export interface Policy {
  /** The business time zone: it decides what a "day" is for SMS quotas, allowances and `resetAt`. */
  readonly timeZone: string;
  /** The country of a `mobileNo` written without a `+` prefix (ISO 3166, two letters). */
  readonly defaultCountry: string;
  /** Whether every enveloped answer is HTTP 200, or has the status its code has in the catalogue. */
  readonly statusMode: "always-200" | "standard";

  /** The largest request body, in bytes. */
  readonly maxRequestBytes: number;
  /** The largest `amount` of one order, in cents. */
  readonly maxAmount: number;
  /** The longest `bizNo`, in characters. */
  readonly maxBizNoLength: number;
  /** The longest `goodsTitle`, in characters. */
  readonly maxGoodsTitleLength: number;
  /** The longest `customerIdentity`, in characters. */
  readonly maxCustomerIdentityLength: number;
  /** The longest `payerId`, in characters. The wallets take 128. */
  readonly maxPayerIdLength: number;
  /** The longest `customerName`, in characters. */
  readonly maxCustomerNameLength: number;
  /** The longest `serviceNo` and `serviceTypeNo`, in characters. */
  readonly maxServiceNoLength: number;
  /** The largest `attachData`, in UTF-8 bytes. */
  readonly maxAttachDataBytes: number;
  /** `pageSize` of `/history.json` when none is given. */
  readonly defaultPageSize: number;
  /** The largest `pageSize` of `/history.json`. */
  readonly maxPageSize: number;

  /** How long an order can be paid; the wallets are told the same time. */
  readonly orderTtl: number;
  /** How long after `orderTtl` an unpaid order is closed: a payment started in the last second still arrives. */
  readonly expiryMargin: number;
  /** When a PENDING order is asked about at its wallet, as ages of the order, ascending. */
  readonly querySchedule: readonly number[];
  /** How long a wallet may take to answer one call. */
  readonly walletDeadline: number;
  /** The shortest time between two questions to the wallet that reads of one order cause. */
  readonly refreshInterval: number;
  /** How long a read waits for the wallet before it answers from the record. */
  readonly refreshDeadline: number;
  /** How long a claim on due work keeps other workers away; work of a worker that died is handed out again after it. */
  readonly workLease: number;
  /**
   * When an open refund is asked about at its wallet, as ages of its present status, ascending.
   * After the last age the distance between the last two repeats without end. A wallet that answers
   * "too many calls" is left alone for twice the pause.
   */
  readonly refundSchedule: readonly number[];
  /**
   * How long a refund may be REQUESTED or SENT before an alarm is raised. The default is longer
   * than the three working days that a refund to a bank card may take, and shorter than the seven
   * days after which WeChat Pay closes a refund that the merchant's balance cannot pay.
   */
  readonly refundOverdue: number;
  /**
   * How long a no that a wallet did not sign must stand: a refund fails when it was first refused so long ago, an order closes so much later than on
   * a signed "never existed".
   */
  readonly unprovenNoPeriod: number;
  /** How far the clock of a wallet's message may differ from ours. */
  readonly notificationSkew: number;

  /** How long reading a whole bill of a day may take. */
  readonly billDeadline: number;
  /** How long before a certificate or key of a pay tool ends the observer is told of it. */
  readonly credentialWarning: number;
  /**
   * The most lines of one bill that may be unreadable. Each of them becomes an exception; a bill with more is refused as a whole, and so is one with more than ten
   * unreadable lines if they are more than the readable ones.
   */
  readonly maxUnreadableLines: number;

  /** Accepted SMS requests per phone number, app and day. */
  readonly smsPerDay: number;
  /** The shortest time between two SMS requests of one phone number; 0 switches it off. */
  readonly smsCooldown: number;
  /** Digits of an SMS code. */
  readonly codeDigits: number;
  /** How long an SMS code is valid. */
  readonly codeTtl: number;
  /** Wrong tries one code survives. */
  readonly codeTries: number;
  /** Wrong tries per phone number, app and day, over all its codes. */
  readonly codeTriesPerDay: number;
  /** Numbers with fixed codes; refused for an app that has a PROD pay tool. */
  readonly testNumbers: readonly TestNumber[];
  /** How long a session token is valid. */
  readonly sessionTtl: number;
  /** Live sessions per customer; opening one more ends the oldest. */
  readonly maxSessions: number;

  /** The longest downloads report, in days, both ends counted. */
  readonly maxReportDays: number;

  /** How long an SMS code is kept after it expired. */
  readonly codeRetention: number;
  /** How long the counters of a business day are kept after the day ended. */
  readonly quotaRetention: number;
  /** How long a session is kept after it expired. */
  readonly sessionRetention: number;
  /** How long lines of a bill are kept that were staged and never compared. */
  readonly billLineRetention: number;
  /** Rows that one step of housekeeping removes at most. */
  readonly housekeepingRows: number;
  /** Steps that one run of housekeeping does at most, of each kind of row. */
  readonly housekeepingSteps: number;
}

const hourly = Array.from({ length: 24 }, (_, index) => (index + 1) * HOUR);
const daily = Array.from({ length: 6 }, (_, index) => (index + 2) * DAY);

/** The limits that hold unless a host says otherwise. */
export const defaultPolicy: Policy = {
  timeZone: "Asia/Shanghai",
  defaultCountry: "CN",
  statusMode: "always-200",
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
  refundOverdue: 5 * DAY,
  unprovenNoPeriod: 10 * MINUTE,
  notificationSkew: 5 * MINUTE,
  billDeadline: 10 * MINUTE,
  credentialWarning: 30 * DAY,
  maxUnreadableLines: 100,
  smsPerDay: 5,
  smsCooldown: 0,
  codeDigits: 6,
  codeTtl: 5 * MINUTE,
  codeTries: 5,
  codeTriesPerDay: 15,
  testNumbers: [],
  sessionTtl: 30 * DAY,
  maxSessions: 5,
  maxReportDays: 366,
  codeRetention: DAY,
  quotaRetention: 7 * DAY,
  sessionRetention: DAY,
  billLineRetention: DAY,
  housekeepingRows: 500,
  housekeepingSteps: 20,
};

/**
 * The default policy with `changes` applied.
 *
 * Throws a `RangeError` if a number is not whole, or not from 0 to a hundred years of milliseconds: what is stored
 * with such a time or count could not be read again.
 */
export function policyWith(changes: Partial<Policy>): Policy {
  const policy = { ...defaultPolicy, ...changes };
  for (const [name, value] of Object.entries(policy)) checkNumbers(name, value);
  for (const { expiresAt = 0 } of policy.testNumbers)
    checkNumber("testNumbers.expiresAt", expiresAt, LAST_TIME);
  return policy;
}

function checkNumbers(name: string, value: unknown): void {
  if (Array.isArray(value)) for (const member of value) checkNumbers(name, member);
  else if (typeof value === "number") checkNumber(name, value, LONGEST_DURATION);
}

function checkNumber(name: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return;
  throw new RangeError(`The policy's ${name} must be a whole number from 0 to ${most}.`);
}
