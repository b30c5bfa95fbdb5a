import type { Mutant } from "../mutant.js";
const SESSION_OF_TOKEN = "packages/core/src/sessions/session-of-token.ts";
const ACTIVE_APP = "packages/core/src/apps/active-app.ts";
const ROTATE_SECRET = "packages/core/src/apps/rotate-secret.ts";
const ENVELOPE = "packages/core/src/http/payments/envelope.ts";
const ROUTE = "packages/core/src/http/payments/route.ts";
const READ_PARAMETERS = "packages/core/src/http/read-parameters.ts";
const PAYMENTS = "packages/core/src/http/payments/surface.ts";
const METRICS_ERRORS = "packages/core/src/http/metrics/metrics-errors.ts";
const RECORDS = "packages/core/src/http/payments/response-json.ts";
const SEND_CODE = "packages/core/src/sessions/send-code.ts";
const LOG_IN = "packages/core/src/sessions/log-in.ts";
const PHONE_HASH = "packages/core/src/sessions/phone-hash.ts";
const CREATE_ORDER = "packages/core/src/orders/create-order.ts";
const LIST_ORDERS = "packages/core/src/orders/list-orders.ts";
const GET_REPORT = "packages/core/src/downloads/get-downloads-report.ts";
const STORE_NAME = "packages/core/src/downloads/store-name.ts";
const COMPARE_DOWNLOADS = "packages/core/src/downloads/compare-downloads.ts";
const HOUSEKEEPING = "packages/core/src/operations/run-housekeeping.ts";
const DIGEST = "packages/core/src/shared/digest.ts";

/** Mutants of the core's rules about callers, requests and the content of answers. */
export const BETWEEN_CORE_AND_CALLERS: readonly Mutant[] = [
  {
    name: "spelling-is-another-store",
    guards: "a spelling of a store counts for the store",
    file: STORE_NAME,
    find: "exact.get(name) ?? keys.get(storeKey(name))",
    replace: "exact.get(name)",
  },
  {
    name: "strict-import-adds-stores",
    guards: "a strict import adds no store",
    file: STORE_NAME,
    find: "if (strict && unknown.length > 0) return",
    replace: "if (strict && unknown.length > 1_000_000) return",
  },
  {
    name: "missing-day-shown-as-zero",
    guards: "operators can tell a day without data from a day without downloads",
    file: COMPARE_DOWNLOADS,
    find: "new Array<PeriodCounts | null>(length).fill(null)",
    replace:
      "new Array<PeriodCounts | null>(length).fill({ newDownloads: 0, updateDownloads: 0, recordedDays: 0 })",
  },
  {
    name: "disabled-app-orders-through-the-core",
    guards: "a disabled app cannot order through the core",
    file: ACTIVE_APP,
    find: "(app): app is App => app?.disabled === false)",
    replace: "(app): app is App => app !== undefined)",
    needsContract: true,
  },
  {
    name: "identity-ends-at-an-ampersand",
    guards: "an identity that contains & reads only its own data",
    file: ROUTE,
    find: '.replaceAll("&", "%26")',
    replace: "",
    needsContract: true,
  },
  {
    name: "identity-decoded-twice",
    guards: "an identity in a path is decoded once",
    file: ROUTE,
    find: "`${name}=${String(value)",
    replace: "`${name}=${decodeURIComponent(String(value))",
    needsContract: true,
  },
  {
    name: "plus-in-a-path-is-a-space",
    guards: "a plus sign in a path is not decoded as a space",
    file: ROUTE,
    find: '.replaceAll("+", "%2B")',
    replace: "",
    needsContract: true,
  },
  {
    name: "query-split-after-decoding",
    guards: "an encoded & belongs to the value of its parameter",
    file: READ_PARAMETERS,
    find: 'for (const part of text.split("&")) {',
    replace: 'for (const part of text.replaceAll("%26", "&").split("&")) {',
    needsContract: true,
  },
  {
    name: "parameter-twice-the-last-counts",
    guards: "a repeated parameter is refused",
    file: READ_PARAMETERS,
    find: "value === undefined || Object.hasOwn(values, name))",
    replace: "value === undefined)",
  },
  {
    name: "json-member-twice-the-last-counts",
    guards: "a repeated member of a JSON object is refused",
    file: READ_PARAMETERS,
    find: 'if (Object.keys(value.value).length !== members.length) return fail("request.malformed");',
    replace: "",
  },
  {
    name: "fraction-of-a-cent-read-as-a-whole",
    guards: "an amount must be written as an integer of cents",
    file: READ_PARAMETERS,
    find: "const fractions = members.filter(([, source]) => /^-?\\d/.test(source) && !/^-?\\d+$/.test(source));",
    replace: "const fractions: typeof members = [];",
  },
  {
    name: "body-that-is-too-large-read-as-none",
    guards: "a body that is too large is refused",
    file: READ_PARAMETERS,
    find: 'if (body === "too-large") return fail("request.too-large");',
    replace: 'if (body === "too-large") return ok("{}");',
  },
  {
    name: "code-sent-before-it-is-stored",
    guards: "the code is stored before it is sent",
    file: SEND_CODE,
    find: `const addition = await ports.codes.add(code, limits);
    if (addition.isErr()) return addition;
    if (addition.value === "locked") {`,
    replace: `await callSmsSender(ports, smsSender, { mobileNo, authCode, ttl: policy.codeTtl });
    const addition = await ports.codes.add(code, limits);
    if (addition.isErr()) return addition;
    if (addition.value === "locked") {`,
    needsContract: true,
  },
  {
    name: "refused-code-stays-valid",
    guards: "a code that was not sent opens no session",
    file: SEND_CODE,
    find: "await ports.codes.drop(code);",
    replace: "ok(undefined);",
  },
  {
    name: "code-without-an-end",
    guards: "a code expires after its validity",
    file: SEND_CODE,
    find: "const expiresAt = now + policy.codeTtl;",
    replace: "const expiresAt = now + policy.sessionTtl;",
  },
  {
    name: "code-of-another-number",
    guards: "a code opens a session only for the number it was sent to",
    file: PHONE_HASH,
    find: "return digest.keyed(`code\\n${appId}\\n${mobileNo}\\n${authCode}`)[0];",
    replace: "return digest.keyed(`code\\n${appId}\\n${authCode}`)[0];",
  },
  {
    name: "older-peppers-not-looked-up",
    guards: "a customer keeps their id after a rotation of the pepper",
    file: LOG_IN,
    find: "sessions.identify(appId, hashes, ",
    replace: "sessions.identify(appId, [hashes[0]], ",
    needsContract: true,
  },
  {
    name: "pepper-before-last-not-looked-up",
    guards: "a customer keeps their id after two rotations of the pepper",
    file: LOG_IN,
    find: "sessions.identify(appId, hashes, ",
    replace: "sessions.identify(appId, [hashes[0], ...hashes.slice(1, 2)], ",
    needsContract: true,
  },
  {
    name: "unasked-codes-pause-an-app",
    guards: "codes for numbers without a live code do not pause the logins of an app",
    file: LOG_IN,
    find: 'outcome.value === "wrong" ? wrongCodes : unaskedCodes(wrongCodes)',
    replace: "wrongCodes",
  },
  {
    name: "session-without-an-end",
    guards: "a session expires after its validity",
    file: LOG_IN,
    find: "const expiresAt = now + policy.sessionTtl;",
    replace: "const expiresAt = now + 2 * policy.sessionTtl;",
  },
  {
    name: "token-of-another-customer",
    guards: "a token is valid only for the session it was created for",
    file: SESSION_OF_TOKEN,
    find: "tokenHash: ports.digest.sha256(token) };",
    replace: "tokenHash: ports.digest.sha256(token.slice(0, 40)) };",
  },
  {
    name: "secret-ends-at-once",
    guards: "the previous secret stays valid during the overlap",
    file: ROTATE_SECRET,
    find: "ports.apps.addSecret(appId, secret, now + overlap, audit);",
    replace: "ports.apps.addSecret(appId, secret, now, audit);",
  },
  {
    name: "longer-secret-accepted",
    guards: "texts of different lengths are not equal",
    file: DIGEST,
    find: "let difference = left.length ^ right.length;",
    replace: "let difference = 0;",
  },
  {
    name: "nothing-equals-nothing",
    guards: "no secret authenticates an app without secrets",
    file: "packages/core/src/apps/authenticate-caller.ts",
    find: 'if (!appId || !appSecret) return fail("credentials.missing");',
    replace: 'if (appId === undefined || appSecret === undefined) return fail("credentials.missing");',
  },
  {
    name: "unknown-path-told-before-credentials",
    guards: "an unknown path is refused without a check of credentials",
    file: PAYMENTS,
    find: 'if (found === undefined) return { kind: "answered", reply: refuse({ name: "endpoint.not-found" }) };\n',
    replace: "",
  },
  {
    name: "cause-of-a-failure-sent-along",
    guards: "no response contains the cause of an internal error",
    file: ENVELOPE,
    find: "typedJson<FailureRecord>({ code, msg: failureMessage(failure, language, policy), traceId });",
    replace: "typedJson({ code, msg: failureMessage(failure, language, policy), traceId, ...failure });",
  },
  {
    name: "credentials-of-a-tool-sent-along",
    guards: "no response contains the credentials of a pay tool",
    file: RECORDS,
    find: "tools.map((tool) => ({\n      id: tool.id,",
    replace: "tools.map((tool) => ({\n      ...tool,\n      id: tool.id,",
  },
  {
    name: "attach-data-parsed-and-written-again",
    guards: "attachData is returned exactly as it was sent",
    file: "packages/core/src/http/payments/attach-data-json.ts",
    find: "return isStructured ? attachData : JSON.stringify(attachData);",
    replace: "return isStructured ? JSON.stringify(JSON.parse(attachData)) : JSON.stringify(attachData);",
  },
  {
    name: "refunded-amount-untold",
    guards: "a caller sees how much of an order was refunded",
    file: RECORDS,
    find: 'refundedAmount === 0 ? "{}" :',
    replace: 'refundedAmount < amount ? "{}" :',
  },
  {
    name: "first-page-skipped",
    guards: "the first page begins with the newest order",
    file: LIST_ORDERS,
    find: "offset: (pageNum - 1) * pageSize,",
    replace: "offset: pageNum * pageSize,",
  },
  {
    name: "unknown-status-lists-everything",
    guards: "a filter with an unknown status returns an empty list",
    file: LIST_ORDERS,
    find: "if (input.paymentStatus !== undefined && paymentStatus === undefined)\n",
    replace: "if (input.paymentStatus === undefined && paymentStatus !== undefined)\n",
  },
  {
    name: "service-without-a-customer",
    guards: "a timed service belongs to a customer",
    file: "packages/core/src/services/ordered-service.ts",
    find: "if (customerIdentity === undefined) return fail(",
    replace: 'if (customerIdentity === "") return fail(',
  },
  {
    name: "bizno-of-another-app-conflicts",
    guards: "an order is stored under the app that creates it",
    file: CREATE_ORDER,
    find: "      appId: app.appId,\n      id: newId(ports),",
    replace: '      appId: app.appId.replace(/.$/, "x"),\n      id: newId(ports),',
  },
  {
    name: "refused-report-in-a-wrong-status",
    guards: "version 2 returns an HTTP error status for a reached limit",
    file: METRICS_ERRORS,
    find: 'errorCode: "DAILY_LIMIT_REACHED",\n    status: 429,',
    replace: 'errorCode: "DAILY_LIMIT_REACHED",\n    status: 200,',
  },
  {
    name: "allowance-of-all-clients-shared",
    guards: "every client has its own allowance",
    file: GET_REPORT,
    find: 'const allowance = { scope: "downloads", subject: clientId } as const;',
    replace: 'const allowance = { scope: "downloads", subject: client.appId } as const;',
  },
  {
    name: "code-removed-while-valid",
    guards: "housekeeping keeps valid codes",
    file: HOUSEKEEPING,
    find: "codes.removeExpired(now - codeRetention, limit)",
    replace: "codes.removeExpired(now + codeRetention, limit)",
  },
  {
    name: "session-removed-while-live",
    guards: "housekeeping keeps live sessions",
    file: HOUSEKEEPING,
    find: "sessions.removeExpired(now - sessionRetention, limit)",
    replace: "sessions.removeExpired(now + sessionTtl, limit)",
  },
];
