import { businessDay } from "@tillkit/core";
import { z } from "zod";
import type { InvariantCheck } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

const granted = z.object({ value: z.object({ granted: z.literal(true) }) });
const done = z.object({ value: z.unknown() });
const attempted = z.object({ value: z.enum(["matched", "wrong", "exhausted"]) });
const quotaKey = z.object({ scope: z.string(), subject: z.string() });
const quotaTake = z.object({ day: z.string(), limit: z.number() });
const tried = z.object({ appId: z.string(), phoneHash: z.string(), codeHash: z.string() });
const made = tried.extend({ expiresAt: z.number() });

/** A login code, as an observer of the stores knows it. */
interface LiveCode extends z.infer<typeof made> {
  tries: number;
  used: boolean;
}

/** Checks that units of a day stay within their limit, and that each SMS has used one unit. */
export function checkQuotas(scenario: Scenario): InvariantCheck {
  const used = new Map<string, number>();
  let smsUnits = 0;
  scenario.simulation.effects.push(({ port, method, args, answer }) => {
    if (port !== "quotas") return;
    const { scope, subject } = quotaKey.safeParse(args[0]).data ?? { scope: "", subject: "" };
    if (method === "take" && granted.safeParse(answer).success) {
      const { day, limit } = quotaTake.parse(args[1]);
      const count = (used.get(`${scope} ${subject} ${day}`) ?? 0) + 1;
      used.set(`${scope} ${subject} ${day}`, count);
      invariant(
        "no more units than the limit",
        count <= limit,
        () => `${String(count)} of ${scope} on ${day}`,
      );
      if (scope === "sms") smsUnits += 1;
    }
    if (method === "giveBack" && done.safeParse(answer).success) {
      const day = z.string().parse(args[1]);
      used.set(`${scope} ${subject} ${day}`, (used.get(`${scope} ${subject} ${day}`) ?? 1) - 1);
      if (scope === "sms") smsUnits -= 1;
    }
  });
  return () => {
    const { length } = scenario.simulation.carrier.messages;
    invariant(
      "no message without a unit",
      length <= smsUnits,
      () => `${String(length)} of ${String(smsUnits)}`,
    );
  };
}

/** Checks the limits of login codes: one session per code, tries per code, wrong tries per day. */
export function checkCodes({ simulation: { effects, policy } }: Scenario): void {
  const live = new Map<string, LiveCode>();
  const wrong = new Map<string, number>();
  effects.push(({ port, method, args, answer }) => {
    if (port === "codes" && method === "replace" && done.safeParse(answer).success) {
      const code = made.parse(args[0]);
      live.set(`${code.appId} ${code.phoneHash}`, { ...code, tries: 0, used: false });
    }
    if (port === "codes" && method === "drop" && done.safeParse(answer).success) {
      const dropped = tried.parse(args[0]);
      const owner = `${dropped.appId} ${dropped.phoneHash}`;
      if (live.get(owner)?.codeHash === dropped.codeHash) live.delete(owner);
    }
    if (port === "codes" && method === "removeExpired" && done.safeParse(answer).success) {
      const before = z.number().parse(args[0]);
      for (const [owner, { expiresAt }] of live) if (expiresAt < before) live.delete(owner);
    }
    const outcome = method === "attempt" ? attempted.safeParse(answer).data?.value : undefined;
    if (port !== "codes" || outcome === undefined) return;
    const attempt = tried.parse(args[0]);
    const now = z.number().parse(args[1]);
    const owner = `${attempt.appId} ${attempt.phoneHash}`;
    const code = live.get(owner);
    if (outcome === "wrong") {
      const { date } = businessDay(policy.timeZone, now);
      const count = (wrong.get(`${owner} ${date}`) ?? 0) + 1;
      wrong.set(`${owner} ${date}`, count);
      invariant(
        "limited wrong attempts per day",
        count <= policy.codeTriesPerDay,
        () => `${String(count)} on ${date}`,
      );
    }
    if (outcome === "matched") {
      const fits = code?.used === false && code.codeHash === attempt.codeHash && now < code.expiresAt;
      invariant("a code opens one session", fits, () => "it was used, replaced, expired or wrong");
    }
    // A used or expired code is always refused, so further tries do not count.
    if (code === undefined || code.used || now >= code.expiresAt || outcome === "exhausted") return;
    code.tries += 1;
    code.used = outcome === "matched";
    invariant("limited attempts per code", code.tries <= policy.codeTries, () => String(code.tries));
  });
}
