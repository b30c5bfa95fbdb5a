import type { Mutant } from "../mutant.js";
const AUTHENTICATE_CALLER = "packages/core/src/apps/authenticate-caller.ts";
const APP_STORE = "packages/memory/src/apps/app-store.ts";
const SAME_REQUEST = "packages/core/src/orders/require-same-request.ts";
const ORDER_STORE = "packages/memory/src/orders/order-store.ts";
const ORDER_STATEMENTS = "packages/postgres/src/orders/order-statements.ts";
const CALL_SMS_SENDER = "packages/core/src/sessions/call-sms-sender.ts";
const SEND_CODE = "packages/core/src/sessions/send-code.ts";
const DAILY_SMS = "packages/core/src/sessions/take-daily-sms.ts";
const LOG_IN = "packages/core/src/sessions/log-in.ts";
const PHONE_HASH = "packages/core/src/sessions/phone-hash.ts";
const TEST_NUMBER = "packages/core/src/sessions/test-number.ts";
const CODE_STORE = "packages/memory/src/sessions/code-store.ts";
const CODE_TRIES = "packages/core/src/sessions/code-tries.ts";
const SESSIONS_AT_LOGIN = "packages/core/src/sessions/sessions-at-login.ts";
const SESSION_STORE = "packages/memory/src/sessions/session-store.ts";
const QUOTA_STORE = "packages/memory/src/quotas/quota-store.ts";
const GET_REPORT = "packages/core/src/downloads/get-downloads-report.ts";
const STORES_ROUTES = "packages/dashboard/src/api/setup/stores-routes.ts";
const DOWNLOADS_ROUTES = "packages/dashboard/src/api/downloads/routes.ts";

/** Mutants of access control: apps, customers, codes, sessions and quotas. */
export const ACCESS: readonly Mutant[] = [
  {
    name: "stores-changed-by-an-admin-of-one-app",
    guards: "only an admin of every app changes stores, which belong to every app",
    file: STORES_ROUTES,
    find: "  require: requireEveryApp,\n",
    replace: "",
  },
  {
    name: "stores-of-other-apps-listed",
    guards: "an operator sees only stores with counts of visible apps",
    file: STORES_ROUTES,
    find: "visible.value?.has(one.store) ?? true",
    replace: "visible.isOk()",
  },
  {
    name: "counts-of-another-app-changed",
    guards: "an admin of one app changes no counts of another app",
    file: DOWNLOADS_ROUTES,
    find: "=> requireApp(context, appId),",
    replace: "=> ok(appId && context && undefined),",
  },
  {
    name: "disabled-app-accepted",
    guards: "a disabled app is refused",
    file: AUTHENTICATE_CALLER,
    find: " && !app.disabled",
    replace: "",
  },
  {
    name: "expired-secret-accepted",
    guards: "a secret stops working when it expires",
    file: AUTHENTICATE_CALLER,
    find: "return equal && (secret.expiresAt === undefined || now < secret.expiresAt);",
    replace: "return equal;",
  },
  {
    name: "any-secret-accepted",
    guards: "only the app's own secret authenticates an app",
    file: AUTHENTICATE_CALLER,
    find: " && (opensNewest || opensPrevious);",
    replace: ";",
  },
  {
    name: "rotation-prolongs-a-secret",
    guards: "a rotation never extends the life of an older secret",
    file: APP_STORE,
    find: "Math.min(secret.expiresAt ?? endsAt, endsAt)",
    replace: "endsAt",
  },
  {
    name: "conflict-ignored",
    guards: "a repeated bizNo with other parameters is refused",
    file: SAME_REQUEST,
    find: 'return fields.length > 0 ? fail("biz-no.conflict", { fields }) : ok(undefined);',
    replace: "return ok(undefined);",
  },
  {
    name: "conflict-of-amount-ignored",
    guards: "a repeated bizNo with another amount is refused",
    file: SAME_REQUEST,
    find: 'const COMPARED = [\n  "amount",',
    replace: "const COMPARED = [",
  },
  {
    name: "conflict-of-customer-ignored",
    guards: "a repeated bizNo for another customer is refused",
    file: SAME_REQUEST,
    find: `if (order.customerIdentity !== (input.customerIdentity ?? "")) fields.push("customerIdentity");`,
    replace: "",
  },
  {
    name: "order-without-its-customer",
    guards: "an app with accounts must send the customer's identity",
    file: "packages/core/src/orders/identity-rules.ts",
    find: 'return app.accountBased ? fail("customer-identity.required") : ok(undefined);',
    replace: "return ok(undefined);",
  },
  {
    name: "unready-pay-tool-used",
    guards: "a pay tool without working credentials takes no payment",
    file: "packages/core/src/pay-tools/require-ready-pay-tool.ts",
    find: 'return account.signStatus === "OK" ? ok(account) : fail("pay-tool.not-ready");',
    replace: "return ok(account);",
  },
  {
    name: "retired-service-sold",
    guards: "no new order names a retired service type",
    file: "packages/core/src/services/ordered-service.ts",
    find: 'if (retiredAt !== undefined) return fail("service-type.retired");',
    replace: "",
  },
  {
    name: "order-of-another-customer",
    guards: "reading an order requires its customer's identity",
    file: ORDER_STORE,
    find: "return order?.customerIdentity === customerIdentity ? order : undefined;",
    replace: "return order;",
  },
  {
    name: "sql-order-of-another-customer",
    guards: "reading an order requires its customer's identity, on PostgreSQL",
    file: ORDER_STATEMENTS,
    find: 'isKey("biz_no", "app_id", "customer_identity")',
    replace: 'isKey("biz_no", "app_id", "customer_identity")} or ${isKey("biz_no", "app_id")',
  },
  {
    name: "order-of-another-app",
    guards: "no app can read another app's order",
    file: ORDER_STORE,
    find: "return orders.get(compositeKey(appId, bizNo));",
    replace:
      "return orders.get(compositeKey(appId, bizNo)) ?? [...orders.values()].find(({ order }) => order.bizNo === bizNo);",
  },
  {
    name: "unit-back-after-silence",
    guards: "only a definite refusal of the carrier returns the unit",
    file: CALL_SMS_SENDER,
    find: 'const outcome = name === "sms.rejected" ? "rejected" : "unknown";',
    replace: 'const outcome = name === "sms.rejected" ? "rejected" : "rejected";',
  },
  {
    name: "sms-without-quota",
    guards: "a phone number gets a limited number of messages per day",
    file: DAILY_SMS,
    find: "if (!granted) {\n      const reason",
    replace: "if (granted === undefined) {\n      const reason",
  },
  {
    name: "sms-without-shared-limit",
    guards: "an app, a country and the host get a limited number of messages",
    file: SEND_CODE,
    find: "if (admitted.isErr()) {",
    replace: "if (admitted.isErr() && limits.perDay < 0) {",
  },
  {
    name: "sms-to-a-locked-number",
    guards: "a number that is locked for the day gets no message",
    file: SEND_CODE,
    find: `if (addition.value === "locked") {`,
    replace: `if (addition.value === "locked" && limits.perDay < 0) {`,
  },
  {
    name: "wrong-code-accepted",
    guards: "only the correct code opens a session",
    file: LOG_IN,
    find: 'if (outcome.value === "wrong" || outcome.value === "none") {',
    replace: 'if (outcome.value === "none") {',
  },
  {
    name: "exhausted-code-accepted",
    guards: "a code opens no session after too many wrong attempts",
    file: LOG_IN,
    find: 'if (outcome.value === "exhausted") return',
    replace: "if (ports.policy.codeTries < 0) return",
  },
  {
    name: "tries-of-a-day-not-limited",
    guards: "a phone number has a limited number of attempts per day",
    file: LOG_IN,
    find: 'if (outcome.value === "locked") return lockedUntil(dayEndsAt, now);',
    replace: "",
  },
  {
    name: "customers-of-two-apps-compared",
    guards: "two apps cannot find out that they share a customer",
    file: PHONE_HASH,
    find: "return digest.keyed(`phone\\n${appId}\\n${mobileNo}`);",
    replace: "return digest.keyed(`phone\\n${mobileNo}`);",
  },
  {
    name: "test-number-where-money-is-real",
    guards: "a fixed code opens no session in an app with a PROD pay tool",
    file: TEST_NUMBER,
    find: 'tools.some(({ appEnv }) => appEnv === "PROD") ? fail("mobile-no.invalid") : ok(testNumber)',
    replace: 'tools.length < 0 ? fail("mobile-no.invalid") : ok(testNumber)',
  },
  {
    name: "expired-test-number-accepted",
    guards: "a test number stops working when it expires",
    file: TEST_NUMBER,
    find: "(expiresAt === undefined || now < expiresAt)",
    replace: "(expiresAt === undefined || now > 0)",
  },
  {
    name: "code-not-consumed",
    guards: "a code opens at most one session",
    file: CODE_STORE,
    find: 'if (outcome === "matched") numbers.set(ownerOf(tried), { ...stored, codes: [] });',
    replace: "",
  },
  {
    name: "tries-not-counted",
    guards: "a code allows a limited number of attempts",
    file: CODE_STORE,
    find: "tries: stored.tries + 1,",
    replace: "tries: stored.tries,",
  },
  {
    name: "one-try-too-many",
    guards: "a code allows no more attempts than its limit",
    file: CODE_TRIES,
    find: "held.tries - triesBefore < perCode)",
    replace: "held.tries - triesBefore < perCode + 1)",
  },
  {
    name: "expired-code-accepted",
    guards: "a code stops working when it expires",
    file: CODE_TRIES,
    find: "now < expiresAt",
    replace: "now <= expiresAt + 60_000",
  },
  {
    name: "old-code-kept",
    guards: "a message that the carrier accepted ends the earlier code",
    file: CODE_STORE,
    find: "codes: stored.codes.slice(0, place + 1)",
    replace: "codes: stored.codes",
  },
  {
    name: "all-codes-dropped",
    guards: "removing a code that was not sent keeps the other codes",
    file: CODE_STORE,
    find: "codes: stored.codes.toSpliced(place, 1)",
    replace: "codes: []",
  },
  {
    name: "one-session-too-many",
    guards: "a customer has a limited number of live sessions",
    file: SESSIONS_AT_LOGIN,
    find: "live.length + 1 - maxLive",
    replace: "live.length - maxLive",
  },
  {
    name: "newest-session-evicted",
    guards: "a session above the limit ends the oldest one",
    file: SESSIONS_AT_LOGIN,
    find: "left.gmtCreate - right.gmtCreate ||",
    replace: "right.gmtCreate - left.gmtCreate ||",
  },
  {
    name: "revoke-does-nothing",
    guards: "a revoked session is no longer valid",
    file: SESSION_STORE,
    find: "keep(customerOf(session), after);",
    replace: "",
  },
  {
    name: "revoke-all-does-nothing",
    guards: "all sessions of a customer can be ended",
    file: SESSION_STORE,
    find: "sessions.delete(customer);\n        return length;",
    replace: "return length;",
  },
  {
    name: "expired-session-lives",
    guards: "a session stops being valid when it expires",
    file: SESSION_STORE,
    find: "isSameSession(live, session) && isLiveSession(live, now)",
    replace: "isSameSession(live, session)",
  },
  {
    name: "token-of-another-app",
    guards: "a token is valid only in its own app",
    file: SESSION_STORE,
    find: "const stored = sessionsOf(customer);",
    replace: "const stored = [...sessions.values()].flat();",
  },
  {
    name: "one-unit-too-many",
    guards: "a daily quota never grants more units than its limit",
    file: QUOTA_STORE,
    find: "if (used >= limit) return { granted: false, used };",
    replace: "if (used > limit) return { granted: false, used };",
  },
  {
    name: "units-below-zero",
    guards: "only a unit that was taken can be returned",
    file: QUOTA_STORE,
    find: "if (used === 0) return;",
    replace: "",
  },
  {
    name: "spacing-ignored",
    guards: "a unit is not granted before the minimum interval has passed",
    file: QUOTA_STORE,
    find: "if (tooSoon) return",
    replace: "if (tooSoon && used > limit) return",
  },
  {
    name: "count-of-today-removed",
    guards: "housekeeping keeps the counters of a day that has not ended",
    file: QUOTA_STORE,
    find: "(quota) => quota.day < day",
    replace: "(quota) => quota.day <= day",
  },
  {
    name: "reports-above-the-allowance",
    guards: "a client gets a limited number of reports per day",
    file: GET_REPORT,
    find: "if (!granted) return",
    replace: "if (!granted && dailyLimit < 0) return",
  },
  {
    name: "failed-report-counted",
    guards: "a failed report uses no unit of the allowance",
    file: GET_REPORT,
    find: "attempt(async () => ports.quotas.giveBack(allowance, day));",
    replace: "attempt(async () => ok(undefined));",
  },
];
