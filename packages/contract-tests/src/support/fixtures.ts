import { createHash } from "node:crypto";
import type {
  App,
  DailyCount,
  Digest,
  Order,
  QuotaKey,
  QuotaTake,
  Refund,
  ServiceType,
  TimelineEntry,
  WalletAccount,
} from "@tillkit/core";
import type {
  AppSecret,
  AuthCode,
  BillLine,
  KeptBill,
  KeptBillLine,
  ComparedBill,
  DownloadsClient,
  FoundException,
  OrderTransition,
  RefundAdoption,
  RefundConfirmation,
  RefundSendClaim,
  RefundSettlement,
  RefundWithdrawal,
  Session,
  TryLimits,
  SettlementEntry,
} from "@tillkit/core/ports";
import { caseCount } from "./case-count.js";

/** The time of the fixtures in epoch milliseconds. It is not a whole second, to expose rounding. */
export const FIXTURE_TIME = Date.UTC(2026, 0, 15, 4, 5, 6, 789);

/** One minute, in milliseconds. */
export const MINUTE = 60_000;

/** One day, in milliseconds. */
export const DAY = 24 * 60 * MINUTE;

/**
 * Number of concurrent calls in tests of races: 16, or 50 with `TEST_CASES=many`.
 *
 * The number is even, and not smaller than the connection pools of the tests.
 */
export const CONCURRENT_CALLERS = caseCount({ few: 16, many: 50 });

/**
 * Text that breaks naive quoting, escaping and character counting.
 *
 * It contains quotes, backslashes, Chinese characters, a 4-byte emoji and line feeds.
 */
export const UNUSUAL_TEXT = `a'b"c\\d\\'e\\n 会员 😀 %s $1 {"k": 1} \n\t{[,]} \\u0041 é é`;

let made = 0;

/** Returns a name that no other fixture of this process has. */
export function unique(prefix: string): string {
  made += 1;
  return `${prefix}${made}`;
}

/** The SHA-256 of Node, to check the hashes that an adapter stored. */
export const sha256: Pick<Digest, "sha256"> = {
  sha256: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
};

/** Returns a text in the form of a SHA-256 digest, different for each `text`. */
export function aHash(text: string = unique("hash-")): string {
  return sha256.sha256(text);
}

/** Returns a text in the form of a keyed digest, different for each `text`. */
export function aKeyedHash(text: string = unique("keyed-")): string {
  return `v1:${aHash(text)}`;
}

/** Returns an id in the form of order ids: 26 characters that sort by creation time. */
export function anId(): string {
  return `01TEST${unique("").padStart(20, "0")}`;
}

/** Every check of an identity, enabled as in a new app. */
export const EVERY_CHECK: App["identityChecks"] = {
  email: true,
  phone: true,
  card: true,
  identityCard: true,
  walletAccount: true,
  bizNo: true,
};

/** No check of an identity. */
export const NO_CHECK: App["identityChecks"] = {
  email: false,
  phone: false,
  card: false,
  identityCard: false,
  walletAccount: false,
  bizNo: false,
};

/** Returns an app with one secret. */
export function anApp(changes: Partial<App> = {}): App {
  return {
    appId: unique("app_"),
    name: "Demo",
    accountBased: true,
    identityChecks: EVERY_CHECK,
    disabled: false,
    secrets: [aSecret()],
    gmtCreate: FIXTURE_TIME,
    gmtModified: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns a secret that does not expire. */
export function aSecret(changes: Partial<AppSecret> = {}): AppSecret {
  return { hash: aHash(), gmtCreate: FIXTURE_TIME, ...changes };
}

/** Returns a valid account at WALLET_A. */
export function anAccount(changes: Partial<WalletAccount> = {}): WalletAccount {
  return {
    id: anId(),
    appId: "app_1",
    accountId: "1900000001",
    walletAppId: "wx0000000000000001",
    payChannel: "WALLET_A",
    signStatus: "OK",
    appEnv: "DEV",
    appName: "Demo",
    appPackageName: "com.example.demo",
    appSignature: "0123456789abcdef",
    credentials: { privateKey: "-----BEGIN KEY-----\nnot a key\n-----END KEY-----\n", apiKey: "k" },
    gmtCreate: FIXTURE_TIME,
    gmtModified: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns a PENDING order of six yuan with a unique `bizNo`, not due for a query. */
export function anOrder(changes: Partial<Order> = {}): Order {
  const id = anId();
  return {
    id,
    appId: "app_1",
    bizNo: unique("biz-"),
    customerIdentity: "customer-1",
    amount: 600,
    goodsTitle: "Thirty days",
    payChannel: "WALLET_A",
    paySource: "APP",
    paymentStatus: "PENDING",
    payToolId: "01TESTPAYTOOL",
    notifyUrl: `https://pay.example/notify/${id}`,
    returnUrl: "https://pay.example/return",
    expiresAt: FIXTURE_TIME + 120 * MINUTE,
    refundedAmount: 0,
    gmtCreate: FIXTURE_TIME,
    gmtModified: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns an order that has every optional member. */
export function aFullOrder(changes: Partial<Order> = {}): Order {
  return anOrder({
    paySource: "JSAPI",
    payerId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
    customerName: "Li Lei",
    serviceNo: "S-1",
    service: { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 30 * DAY },
    attachData: '{"product":"p1"}',
    sourceFrom: "store_01",
    walletOptions: {
      given: { attach: "till 7" },
      sent: {
        attach: "till 7",
        limit_pay: ["no_credit"],
        detail: { goods_detail: [{ merchant_goods_id: "g-1", quantity: 1, unit_price: 600 }] },
      },
    },
    prepayment: { issuedAt: FIXTURE_TIME + 1, validUntil: FIXTURE_TIME + 2, values: { prepayId: "wx-1" } },
    prepaymentClaim: { id: "claim-1", until: FIXTURE_TIME + 3 },
    pmtDt: FIXTURE_TIME + 4,
    walletTradeNo: "4200000001",
    refundedAmount: 100,
    nextQueryAt: FIXTURE_TIME + 5,
    queriedAt: FIXTURE_TIME + 6,
    ...changes,
  });
}

/** Returns the first event of an order. */
export function anEntry(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    type: "CREATED",
    at: FIXTURE_TIME,
    actor: "caller",
    reason: "",
    to: "PENDING",
    alarm: false,
    ...changes,
  };
}

/** Returns an alarm, an event that changes no status. */
export function anAlarm(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    type: "MISMATCH",
    at: FIXTURE_TIME,
    actor: "wallet",
    reason: "the amount differs",
    alarm: true,
    ...changes,
  };
}

/** Returns the transition from PENDING to PAID, one second after `FIXTURE_TIME`. */
export function aPayment(changes: Partial<OrderTransition> = {}): OrderTransition {
  const at = changes.at ?? FIXTURE_TIME + 1_000;
  const from = changes.from ?? "PENDING";
  const entry = anEntry({
    type: "PAID",
    at,
    actor: "wallet",
    reason: "notified",
    from,
    to: "PAID",
    evidence: aHash(),
  });
  return { from, to: "PAID", at, pmtDt: at - 7, walletTradeNo: unique("420000"), entry, ...changes };
}

/** Returns the transition from PENDING to CLOSE, one second after `FIXTURE_TIME`. */
export function aClosure(changes: Partial<OrderTransition> = {}): OrderTransition {
  const at = changes.at ?? FIXTURE_TIME + 1_000;
  const entry = anEntry({
    type: "CLOSED",
    at,
    actor: "expiry",
    reason: "not paid in time",
    from: "PENDING",
    to: "CLOSE",
  });
  return { from: "PENDING", to: "CLOSE", at, entry, ...changes };
}

/** Returns a REQUESTED refund of one yuan. */
export function aRefund(changes: Partial<Refund> & Pick<Refund, "bizNo">): Refund {
  return {
    appId: "app_1",
    refundNo: unique("refund-"),
    amount: 100,
    reason: "the customer changed their mind",
    operator: "han",
    status: "REQUESTED",
    nextTryAt: FIXTURE_TIME + MINUTE,
    gmtCreate: FIXTURE_TIME,
    gmtModified: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns the confirmation of a refund by the wallet. */
export function aConfirmation(changes: Partial<RefundConfirmation> = {}): RefundConfirmation {
  const at = changes.at ?? FIXTURE_TIME + 2_000;
  return {
    at,
    walletRefundNo: unique("500000"),
    entry: anEntry({
      type: "REFUND_CONFIRMED",
      at,
      actor: "wallet",
      reason: "confirmed",
      to: "PAID",
      evidence: aHash(),
    }),
    refundedEntry: anEntry({
      type: "REFUNDED",
      at,
      actor: "wallet",
      reason: "all of it",
      from: "PAID",
      to: "REFUND",
    }),
    ...changes,
  };
}

/** Returns the adoption of a refund of one yuan that was made in the wallet's console. */
export function anAdoption(
  { appId, bizNo }: Pick<Refund, "appId" | "bizNo">,
  changes: Partial<Refund> = {},
): RefundAdoption {
  const { walletRefundNo: _none, entry, ...rest } = aConfirmation();
  const refund: Refund = {
    appId,
    bizNo,
    refundNo: unique("console:5030"),
    amount: 100,
    reason: "",
    operator: "wallet",
    status: "CONFIRMED",
    walletRefundNo: unique("500000"),
    gmtCreate: rest.at,
    gmtModified: rest.at,
    ...changes,
  };
  const { refundNo } = refund;
  return {
    ...rest,
    refund,
    entry: { ...entry, type: "REFUND_ADOPTED", refundNo },
    refundedEntry: { ...rest.refundedEntry, refundNo },
    paidTwiceEntry: { ...entry, type: "REFUND_PAID_TWICE", refundNo, alarm: true },
  };
}

/** Returns an operator's settlement of a refund: the merchant paid the customer by other means. */
export function aSettlement(changes: Partial<RefundSettlement> = {}): RefundSettlement {
  const { walletRefundNo: _none, ...settlement } = aConfirmation({ at: FIXTURE_TIME + 4_000 });
  const queriedAt = settlement.at;
  const entry = anEntry({
    type: "REFUND_SETTLED",
    at: FIXTURE_TIME + 4_000,
    actor: "operator:kim",
    reason: "in cash",
  });
  return { ...settlement, queriedAt, entry, ...changes };
}

/** Returns an operator's withdrawal of a refund that the wallet does not have. */
export function aWithdrawal(changes: Partial<RefundWithdrawal> = {}): RefundWithdrawal {
  const at = FIXTURE_TIME + 4_000;
  const entry = anEntry({ type: "REFUND_WITHDRAWN", at, actor: "operator:kim", reason: "paid in cash" });
  return { at, queriedAt: at, entry, ...changes };
}

/** Returns a claim to send a refund. The claim ends after three seconds. */
export function aSendClaim(changes: Partial<RefundSendClaim> = {}): RefundSendClaim {
  return { at: FIXTURE_TIME, until: FIXTURE_TIME + 3_000, ...changes };
}

/** Returns a service type of thirty days. */
export function aServiceType(changes: Partial<ServiceType> = {}): ServiceType {
  return {
    appId: "app_1",
    serviceTypeNo: unique("T-"),
    serviceName: "Member",
    durationMs: 30 * DAY,
    gmtCreate: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns a code that is valid for five minutes from `FIXTURE_TIME`. */
export function aCode(changes: Partial<AuthCode> = {}): AuthCode {
  return {
    appId: "app_1",
    phoneHash: aKeyedHash(),
    codeHash: aKeyedHash(),
    expiresAt: FIXTURE_TIME + 5 * MINUTE,
    ...changes,
  };
}

/**
 * Returns the limits of five attempts per code and a hundred wrong attempts per day.
 *
 * @returns the limits, with `changes` applied.
 * @example
 * ```ts
 * import { tryLimits } from "@tillkit/contract-tests";
 *
 * const limits = tryLimits({ perCode: 2 });
 * ```
 */
export function tryLimits(changes: Partial<TryLimits> = {}): TryLimits {
  return { now: FIXTURE_TIME, dayEndsAt: FIXTURE_TIME + DAY / 2, perCode: 5, perDay: 100, ...changes };
}

/** Returns a session that is valid for thirty days from `FIXTURE_TIME`. */
export function aSession(changes: Partial<Session> = {}): Session {
  return {
    appId: "app_1",
    customerId: "customer-1",
    tokenHash: aHash(),
    gmtCreate: FIXTURE_TIME,
    expiresAt: FIXTURE_TIME + 30 * DAY,
    ...changes,
  };
}

/** Returns the counts of one store on one day. */
export function aCount(changes: Partial<DailyCount> = {}): DailyCount {
  return {
    appId: "app_1",
    store: "store_01",
    date: "2026-01-15",
    newDownloads: 3,
    updateDownloads: 5,
    ...changes,
  };
}

/** Returns a client with a daily limit of ten. */
export function aClient(changes: Partial<DownloadsClient> = {}): DownloadsClient {
  return { clientId: unique("client-"), appId: "app_1", dailyLimit: 10, gmtCreate: FIXTURE_TIME, ...changes };
}

/** Returns the bill line of a payment of six yuan, with a unique number. */
export function aBillLine(changes: Partial<BillLine> = {}): BillLine {
  return {
    kind: "payment",
    outTradeNo: anId(),
    amount: 600,
    state: "DONE",
    walletTradeNo: unique("420000"),
    ...changes,
  };
}

/** Returns the kept line of a payment of six yuan of `app_1` with a fee of four cents. */
export function aKeptBillLine(changes: Partial<KeptBillLine> = {}): KeptBillLine {
  const line = aBillLine();
  return {
    ...line,
    position: 1,
    appId: "app_1",
    bizNo: unique("b-"),
    settlementNo: line.walletTradeNo,
    received: 600,
    fee: 4,
    ...changes,
  };
}

/** Returns the bill of 2026-01-15 of a run with a unique id. */
export function aKeptBill(changes: Partial<KeptBill> = {}): KeptBill {
  return {
    payChannel: "WALLET_A",
    appEnv: "DEV",
    accountId: "1900000001",
    day: "2026-01-15",
    runId: unique("run-"),
    asOf: FIXTURE_TIME,
    lines: 1,
    unreadable: 0,
    fees: 4,
    opening: 1_000,
    closing: 1_596,
    ...changes,
  };
}

/** Returns the settlement of a payment of six yuan with a fee of four cents and a unique number. */
export function aSettlementEntry(changes: Partial<SettlementEntry> = {}): SettlementEntry {
  return {
    settlementNo: unique("420000"),
    side: "STATED",
    received: 600,
    fee: 4,
    open: false,
    outTradeNo: anId(),
    ...changes,
  };
}

/**
 * Returns the exception of a payment of six yuan that Tillkit does not have.
 *
 * A bill of 2026-01-15 lists the payment. A run that started at `FIXTURE_TIME` found the exception.
 */
export function aFoundException(changes: Partial<FoundException> = {}): FoundException {
  return {
    payChannel: "WALLET_A",
    appEnv: "DEV",
    accountId: "1900000001",
    day: "2026-01-15",
    id: aHash().slice(0, 24),
    kind: "PAYMENT_NOT_HERE",
    outTradeNo: anId(),
    amountThere: 600,
    asOf: FIXTURE_TIME,
    at: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns the result of a run over a bill of `WALLET_A`, begun at `FIXTURE_TIME`. */
export function aComparedBill(changes: Partial<ComparedBill> = {}): ComparedBill {
  return {
    payChannel: "WALLET_A",
    appEnv: "DEV",
    accountId: "1900000001",
    day: "2026-01-15",
    matched: 12,
    fees: 34,
    asOf: FIXTURE_TIME,
    ...changes,
  };
}

/** Returns the key of a counter with a unique subject. */
export function aQuotaKey(changes: Partial<QuotaKey> = {}): QuotaKey {
  return { scope: "sms", subject: unique("s-"), ...changes };
}

/** Returns the request for one unit of five at `FIXTURE_TIME`, without a spacing. */
export function aQuotaTake(changes: Partial<QuotaTake> = {}): QuotaTake {
  return { day: "2026-01-15", limit: 5, now: FIXTURE_TIME, spacing: 0, ...changes };
}
