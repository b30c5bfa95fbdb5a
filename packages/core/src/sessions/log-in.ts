import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { line, perPolicy } from "../shared/input.js";
import { newId, newSecret } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import { testNumberFor } from "./test-number.js";
import { codeHash, phoneHashes, readMobileNo } from "./phone-hash.js";

/** The parameters of POST /auth.json. */
export const logInInput = perPolicy(() => z.object({ mobileNo: line(64), authCode: line(64) }));
/** A number and a code: what `parseInput(logInInput(policy), …)` returns. */
export type LogInInput = z.output<ReturnType<typeof logInInput>>;

/** The ports that logging in touches. */
export type LogInPorts = Pick<
  Ports,
  "codes" | "quotas" | "sessions" | "payTools" | "clock" | "random" | "digest" | "policy"
>;

/** A new session. */
export interface LoggedIn {
  /** Stable per app and phone number. */
  readonly customerId: string;
  /** The session token, which exists in clear only here and at the customer. */
  readonly token: string;
}

/**
 * Exchanges a code for a session token. A wrong, expired, used and never sent code are one answer. Wrong tries are limited per code and per number and day, and are
 * counted before the comparison, so that racing tries are no way round. Over `policy.maxSessions` the customer's oldest session ends.
 * Source: payments spec, POST /auth.json; BEHAVIOUR, "SMS codes and sessions".
 */
export function logIn(
  ports: LogInPorts,
  appId: string,
  input: LogInInput,
): ResultAsync<
  LoggedIn,
  FailureOf<"mobile-no.invalid" | "auth-code.invalid" | "auth-code.attempts-exceeded" | "storage.unavailable">
> {
  return steps(async function* () {
    const { digest, policy } = ports;
    const mobileNo = yield* readMobileNo(input.mobileNo, policy);
    const now = ports.clock.now();
    const { date: day } = businessDay(policy.timeZone, now);
    const hashes = phoneHashes(digest, appId, mobileNo);
    yield* testNumberFor(ports, appId, mobileNo, now);
    const tries = { scope: "code-tries", subject: hashes[0] } as const;
    const unit = { day, limit: policy.codeTriesPerDay, now, spacing: 0 };
    const { granted } = yield* ports.quotas.take(tries, unit);
    if (!granted) return fail("auth-code.attempts-exceeded");
    const tried = {
      appId,
      phoneHash: hashes[0],
      codeHash: codeHash(digest, appId, mobileNo, input.authCode),
    };
    const outcome = yield* ports.codes.attempt(tried, now, policy.codeTries);
    if (outcome === "wrong") return fail("auth-code.invalid");
    // Neither a right try nor one that was not compared is a wrong one. If the unit stays used, that costs a try and nothing else.
    await ports.quotas.giveBack(tries, day).unwrapOr(undefined);
    if (outcome === "exhausted") return fail("auth-code.attempts-exceeded");
    const customerId = yield* ports.sessions.identify(appId, hashes, `cus_${newId(ports)}`, now);
    const token = `${customerId}.${newSecret(ports.random)}`;
    const expiresAt = now + policy.sessionTtl;
    const session = { appId, customerId, tokenHash: digest.sha256(token), gmtCreate: now, expiresAt };
    yield* ports.sessions.open(session, policy.maxSessions);
    return ok({ customerId, token });
  });
}
