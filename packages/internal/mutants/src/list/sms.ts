import type { Mutant } from "../mutant.js";

const SEND_CODE = "packages/core/src/sessions/send-code.ts";
const TAKE_UNITS = "packages/core/src/sessions/take-shared-sms-units.ts";
const SMS_LIMITS = "packages/core/src/sessions/shared-sms-limits.ts";
const COUNTRY = "packages/core/src/sessions/sms-recipient.ts";
const LOG_IN = "packages/core/src/sessions/log-in.ts";
const CODES = "packages/memory/src/sessions/code-store.ts";
const CODE_TRIES = "packages/core/src/sessions/code-tries.ts";
const SQL_CODES = "packages/postgres/src/sessions/code-statements.ts";

/** Mutants of the rules of messages with codes: which are sent, and which codes are valid. */
export const SMS: readonly Mutant[] = [
  {
    name: "unknown-message-ends-the-earlier-code",
    guards: "a code that arrived stays valid until its successor may have arrived",
    file: SEND_CODE,
    find: `outcome === "ok" && addition.value === "beside"`,
    replace: `addition.value === "beside"`,
  },
  {
    name: "accepted-message-keeps-the-earlier-code",
    guards: "an accepted message replaces the earlier code",
    file: SEND_CODE,
    find: `if (outcome === "ok" && addition.value === "beside")`,
    replace: `if (outcome !== "ok" && addition.value === "beside")`,
  },
  {
    name: "refused-message-keeps-its-code",
    guards: "a refused message replaces nothing",
    file: SEND_CODE,
    find: "const dropped = await ports.codes.drop(code);",
    replace: "const dropped = ok(code);",
  },
  {
    name: "refused-message-costs-a-unit",
    guards: "a refused message costs no unit of the day",
    file: SEND_CODE,
    find: `return returned.isErr() ? returned : fail("sms.not-sent");`,
    replace: `return returned.isErr() ? returned : ports.quotas.take(quota, { ...unit, spacing: 0 }).andThen(() => fail("sms.not-sent"));`,
  },
  {
    name: "host-not-asked",
    guards: "a host can refuse a message",
    file: SEND_CODE,
    find: "if (!(await isAdmitted(ports, request)))",
    replace: 'if (request.mobileNo === "")',
  },
  {
    name: "undecided-host-admits",
    guards: "a host that cannot decide admits no message",
    file: SEND_CODE,
    find: "return false;",
    replace: "return true;",
  },
  {
    name: "refused-by-the-host-delays-the-owner",
    guards: "a message that the host refuses costs no unit and no pause of the number's owner",
    file: SEND_CODE,
    find: `return fail("sms.quota-exceeded", { reason: "host" });`,
    replace: `return takeDailySms(ports, dailySmsQuota(policy, phoneHash, today, now), endsAt).andThen(() => fail("sms.quota-exceeded", { reason: "host" }));`,
  },
  {
    name: "locked-number-costs-units",
    guards: "a refused message to a locked number costs no unit of any limit",
    file: SEND_CODE,
    find: "const returned = await giveBack(units);\n      return returned.isErr() ? returned : lockedUntil",
    replace: "const returned = await giveBack([]);\n      return returned.isErr() ? returned : lockedUntil",
  },
  {
    name: "refused-message-costs-shared-units",
    guards: "a refused message costs no unit of the limits that numbers share",
    file: SEND_CODE,
    find: `const returned = await giveBack(units);\n      return returned.isErr() ? returned : fail("sms.not-sent");`,
    replace: `const returned = await giveBack([]);\n      return returned.isErr() ? returned : fail("sms.not-sent");`,
  },
  {
    name: "message-to-a-premium-number",
    guards: "only mobile numbers get messages",
    file: COUNTRY,
    find: "SMS_TYPES.has(type) &&",
    replace: "",
  },
  {
    name: "message-to-any-country",
    guards: "only the countries of the policy get messages",
    file: COUNTRY,
    find: "return isListed && SMS_TYPES",
    replace: "return country !== undefined && SMS_TYPES",
  },
  {
    name: "message-to-a-blocked-prefix",
    guards: "blocked prefixes get no messages",
    file: COUNTRY,
    find: "SMS_TYPES.has(type) && !isBlocked",
    replace: "SMS_TYPES.has(type)",
  },
  {
    name: "units-of-the-app-kept-at-a-shared-limit",
    guards: "a message that a shared limit refuses costs the app no unit",
    file: TAKE_UNITS,
    find: "const returned = await giveBackSharedSmsUnits(ports, limits.app);",
    replace: "const returned = ok(undefined);",
  },
  {
    name: "units-kept-at-one-of-several-limits",
    guards: "a message takes one unit of each limit, or none",
    file: TAKE_UNITS,
    find: "const returned = await giveBackSharedSmsUnits(ports, [...units.keys()]);",
    replace: "const returned = ok(undefined);",
  },
  {
    name: "reserve-for-apps-that-sent-much",
    guards: "an app that sends much cannot use the reserve of the others",
    file: TAKE_UNITS,
    find: "<= limit.little ? limit.limit : limit.open",
    replace: "<= limit.little ? limit.limit : limit.limit",
  },
  {
    name: "reserve-closed-to-apps-that-sent-little",
    guards: "an app that has sent little can use the reserve",
    file: TAKE_UNITS,
    find: "<= limit.little ? limit.limit : limit.open",
    replace: "<= limit.little ? limit.open : limit.open",
  },
  {
    name: "host-told-only-at-the-limit",
    guards: "the host is told before a limit is reached",
    file: TAKE_UNITS,
    find: "if (used !== Math.ceil(NEAR * limit) && used !== limit) return;",
    replace: "if (used !== limit) return;",
  },
  {
    name: "host-limit-by-app",
    guards: "the limits of the host count the messages of all apps",
    file: SMS_LIMITS,
    find: `const host = { scope: "sms-host", subject: HOST } as const;`,
    replace: `const host = { scope: "sms-host", subject: HOST + appId } as const;`,
  },
  {
    name: "day-of-the-host-not-limited",
    guards: "the messages of a day are limited for the host",
    file: SMS_LIMITS,
    find: "limit: policy.smsPerDayPerHost, ...day",
    replace: "limit: 1_000_000, ...day",
  },
  {
    name: "day-of-the-app-not-limited",
    guards: "the messages of a day are limited for an app",
    file: SMS_LIMITS,
    find: "limit: policy.smsPerDayPerApp, ...day",
    replace: "limit: 1_000_000, ...day",
  },
  {
    name: "spraying-not-paused",
    guards: "wrong codes for many numbers pause the logins of an app",
    file: LOG_IN,
    find: "if (wrong.value >= wrongCodes.limit) {",
    replace: "if (wrong.value > wrongCodes.limit) {",
  },
  {
    name: "third-code-lives",
    guards: "at most two codes of a number are live",
    file: CODE_TRIES,
    find: "held.codes.slice(0, 2)",
    replace: "held.codes.slice(0, 3)",
  },
  {
    name: "sql-third-code-lives",
    guards: "at most two codes of a number are live",
    file: SQL_CODES,
    find: "when ${isMatch(1)} or ${isMatch(2)} then",
    replace: "when ${isMatch(1)} or ${isMatch(2)} or ${isMatch(3)} then",
  },
  {
    name: "stranger-learns-of-no-code",
    guards: "a wrong code counts only against a live code",
    file: CODE_TRIES,
    find: `if (live.length === 0) return "none";`,
    replace: "",
  },
  {
    name: "sql-stranger-learns-of-no-code",
    guards: "a wrong code counts only against a live code",
    file: SQL_CODES,
    find: "when not (${isLive(1)} or ${isLive(2)}) then 'none'",
    replace: "when false then 'none'",
  },
  {
    name: "dropped-code-stays",
    guards: "a code that was not sent is not accepted",
    file: CODES,
    find: "codes: stored.codes.toSpliced(place, 1)",
    replace: "codes: stored.codes.toSpliced(place, 0)",
  },
  {
    name: "sql-dropped-code-stays",
    guards: "a code that was not sent is not accepted",
    file: SQL_CODES,
    find: "where n <> ${place} order by n",
    replace: "where n <> 0 order by n",
  },
  {
    name: "new-code-gets-another-try",
    guards: "the tries of two live codes count together",
    file: CODES,
    find: "const added = { code: frozen(code), triesBefore: stored.tries };",
    replace: "const added = { code: frozen(code), triesBefore: stored.tries + 1 };",
  },
  {
    name: "sql-new-code-gets-another-try",
    guards: "the tries of two live codes count together",
    file: SQL_CODES,
    find: `"array[held.tries]"`,
    replace: `"array[held.tries + 1]"`,
  },
];
