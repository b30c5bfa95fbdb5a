import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/business-day.js";
import { singleLineText, perPolicy } from "../shared/input.js";
import { newId, newSecret } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import { sharedPeriods, unaskedCodes, wrongCodesLimit } from "./shared-sms-limits.js";
import { countWrongCode } from "./take-shared-sms-units.js";
import { secondsUntil } from "../shared/seconds-until.js";
import { testNumberFor } from "./test-number.js";
import { lockedUntil } from "./code-tries.js";
import { codeHash, phoneHashes, readMobileNo } from "./phone-hash.js";

/** The parameters of POST /auth.json. */
export const logInInput = perPolicy(() =>
  z.object({ mobileNo: singleLineText(64), authCode: singleLineText(64) }),
);
/** A phone number and a code, the output of `parseInput(logInInput(policy), …)`. */
export type LogInInput = z.output<ReturnType<typeof logInInput>>;

/** The ports that {@link logIn} uses. */
export type LogInPorts = Pick<
  Ports,
  | "codes"
  | "customerData"
  | "quotas"
  | "sessions"
  | "payTools"
  | "clock"
  | "random"
  | "digest"
  | "policy"
  | "observer"
>;

/** A new session. */
export interface LoggedIn {
  /** The customer's id, stable per app and phone number. */
  readonly customerId: string;
  /** The session token. Tillkit stores only its hash. */
  readonly token: string;
}

/** The maximum number of characters of the name of a device. */
const MAX_LABEL = 64;

/** Options of {@link logIn}. */
export interface LogInOptions {
  /** A name of the device for lists of sessions. A longer name is cut to 64 characters. */
  readonly label?: string | undefined;
}

/**
 * Exchanges an SMS code for a session token.
 *
 * Wrong, expired, used and never sent codes fail alike with `auth-code.invalid`. Wrong attempts are
 * limited per code, and per app, phone number and day. They count only while a code is live, so
 * that a stranger cannot lock a number that has no code. The store counts an attempt and compares
 * the code in one step: `CodeStore.attempt`. After `policy.wrongCodesPerHourPerApp` wrong codes, no
 * login of the app succeeds for the rest of the hour.
 *
 * If the customer has more than `policy.maxSessions` live sessions after the login, the oldest ones
 * end: `SessionStore.open`. A login with a number that was idle for `policy.idleNumberPeriod`
 * starts a new customer, unless the former customer has a live session.
 *
 * @returns the customer's id and the session token in clear text. Tillkit stores only the hash of
 *   the token.
 * @example
 * ```ts
 * import { logIn, logInInput, parseInput } from "@tillkit/core";
 *
 * const login = { mobileNo: "13800138000", authCode: "123456" };
 * const loggedIn = await parseInput(logInInput(ports.policy), login).asyncAndThen((input) =>
 *   logIn(ports, "app_1", input),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-limits.md |
 *   SMS login limits are counted atomically, before the action}
 */
export function logIn(
  ports: LogInPorts,
  appId: string,
  input: LogInInput,
  options: LogInOptions = {},
): ResultAsync<
  LoggedIn,
  FailureOf<
    | "mobile-no.invalid"
    | "mobile-no.locked"
    | "auth-code.invalid"
    | "auth-code.attempts-exceeded"
    | StorageFailureName
  >
> {
  return attempt(async () => {
    const { digest, policy } = ports;
    const mobileNo = readMobileNo(input.mobileNo, policy);
    if (mobileNo.isErr()) return mobileNo;
    const now = ports.clock.now();
    const today = businessDay(policy.timeZone, now);
    const { endsAt: dayEndsAt } = today;
    const hashes = phoneHashes(digest, appId, mobileNo.value);
    const testNumber = await testNumberFor(ports, appId, mobileNo.value, now);
    if (testNumber.isErr()) return testNumber;
    const trial = {
      appId,
      phoneHash: hashes[0],
      codeHash: codeHash(digest, appId, mobileNo.value, input.authCode),
    };
    const wrongCodes = wrongCodesLimit(policy, appId, sharedPeriods(today, now));
    const wrong = await ports.quotas.find(wrongCodes.key, wrongCodes.period);
    if (wrong.isErr()) return wrong;
    if (wrong.value >= wrongCodes.limit) {
      return fail("auth-code.attempts-exceeded", {
        reason: "app",
        retryAfter: secondsUntil(wrongCodes.endsAt, now),
      });
    }
    const limits = { now, dayEndsAt, perCode: policy.codeTries, perDay: policy.codeTriesPerDay };
    const outcome = await ports.codes.attempt(trial, limits);
    if (outcome.isErr()) return outcome;
    if (outcome.value === "wrong" || outcome.value === "none") {
      await countWrongCode(ports, outcome.value === "wrong" ? wrongCodes : unaskedCodes(wrongCodes), now);
      return fail("auth-code.invalid");
    }
    if (outcome.value === "exhausted") return fail("auth-code.attempts-exceeded", { reason: "code" });
    if (outcome.value === "locked") return lockedUntil(dayEndsAt, now);
    const login = await openSession(ports, appId, hashes, options);
    if (login.isErr()) return login;
    if ("token" in login.value) return ok(login.value);
    const { customerId, ended } = login.value;
    if (ended === "erased") {
      // Removes the number from the erased customer, so that the login starts a new customer. If
      // the number already has another customer, this customer keeps it.
      const erasing = { appId, customerIds: [customerId], phoneHashes: [] };
      const erasure = await ports.customerData.eraseLogin(erasing, now);
      if (erasure.isErr()) return erasure;
    }
    const again = await openSession(ports, appId, hashes, options);
    if (again.isErr()) return again;
    return "token" in again.value ? ok(again.value) : fail("storage.unavailable", {});
  });
}

/** A customer who got no session: the customer was erased, or lost the number, during the login. */
interface EndedLogin {
  readonly customerId: string;
  readonly ended: "erased" | "moved";
}

/**
 * Opens a session for the customer of a phone number.
 *
 * Leaves no session open if the customer was erased, or lost the number, between the steps.
 */
function openSession(
  ports: Pick<Ports, "sessions" | "clock" | "random" | "digest" | "policy">,
  appId: string,
  hashes: readonly [current: string, ...older: string[]],
  options: LogInOptions,
): ResultAsync<LoggedIn | EndedLogin, StorageFailure> {
  return attempt(async () => {
    const { digest, policy, sessions } = ports;
    const now = ports.clock.now();
    const released = await releaseIdleNumber(ports, appId, hashes, now);
    if (released.isErr()) return released;
    const customerId = await sessions.identify(appId, hashes, `cus_${newId(ports)}`, now);
    if (customerId.isErr()) return customerId;
    const token = `${customerId.value}.${newSecret(ports.random)}`;
    const expiresAt = now + policy.sessionTtl;
    const label = labelOf(options);
    const key = { appId, customerId: customerId.value, tokenHash: digest.sha256(token) };
    const session = { ...key, gmtCreate: now, expiresAt, ...(label === undefined ? {} : { label }) };
    const endedSessions = await sessions.open(session, policy.maxSessions);
    if (endedSessions.isErr()) return endedSessions;
    if (endedSessions.value === undefined)
      return ok({ customerId: customerId.value, ended: "erased" } as const);
    const confirmed = await sessions.confirmLogin(appId, hashes, customerId.value, now);
    if (confirmed.isErr()) return confirmed;
    if (confirmed.value) return ok({ customerId: customerId.value, token });
    const revoked = await sessions.revoke(key);
    return revoked.isErr() ? revoked : ok({ customerId: customerId.value, ended: "moved" } as const);
  });
}

/** Returns the name of the device as it is stored: one line, and `undefined` if nothing is left. */
function labelOf({ label = "" }: LogInOptions): string | undefined {
  const line = label.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ").trim();
  return line === "" ? undefined : [...line].slice(0, MAX_LABEL).join("");
}

/**
 * Takes a phone number from its customer if it was idle for `policy.idleNumberPeriod`.
 *
 * A customer with a live session keeps the number. Of concurrent logins, one takes it.
 */
function releaseIdleNumber(
  { sessions, policy }: Pick<Ports, "sessions" | "policy">,
  appId: string,
  hashes: readonly string[],
  now: number,
): ResultAsync<undefined, StorageFailure> {
  return attempt(async () => {
    const { idleNumberPeriod } = policy;
    if (idleNumberPeriod === undefined) return ok(undefined);
    const phones = await sessions.findPhones(appId, hashes);
    if (phones.isErr()) return phones;
    const [phone] = phones.value;
    if (phone?.usedAt === undefined || now - phone.usedAt < idleNumberPeriod) return ok(undefined);
    const { customerId } = phone;
    const live = await sessions.countLive(appId, customerId, now);
    if (live.isErr()) return live;
    if (live.value > 0) return ok(undefined);
    const idle = phones.value.filter((one) => one.customerId === customerId);
    const moves = idle.map(({ phoneHash }) => ({ phoneHash, from: customerId }));
    return (await sessions.movePhones(appId, moves, now)).map(() => undefined);
  });
}
