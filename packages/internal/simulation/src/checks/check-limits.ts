import { businessDay } from "@tillkit/core";
import { z } from "zod";
import type { InvariantCheck } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

const granted = z.object({ value: z.object({ granted: z.literal(true) }) });
const done = z.object({ value: z.unknown() });
const attempted = z.object({ value: z.enum(["matched", "wrong", "none", "exhausted", "locked"]) });
const added = z.object({ value: z.enum(["alone", "beside"]) });
const limits = z.object({ now: z.number() });
const quotaKey = z.object({ scope: z.string(), subject: z.string() });
const quotaTake = z.object({ day: z.string(), limit: z.number() });
const tried = z.object({ appId: z.string(), phoneHash: z.string(), codeHash: z.string() });
const made = tried.extend({ expiresAt: z.number() });

/** A login code that is stored, with its wrong attempts. */
interface StoredCode extends z.infer<typeof made> {
  /** Wrong attempts since it was added. */
  tries: number;
}

/** Checks that no daily limit is exceeded, and that each SMS has used one unit of a limit. */
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

/**
 * Checks the limits of login codes.
 *
 * A code opens at most one session, a number has at most two valid codes, and the attempts per code
 * and per day are limited. A refused message does not invalidate an earlier code, and makes no used
 * code valid again.
 */
export function checkCodes({ simulation: { effects, policy } }: Scenario): void {
  /** The codes of each number, newest first. */
  const stored = new Map<string, StoredCode[]>();
  const wrong = new Map<string, number>();
  effects.push(({ port, method, args, answer }) => {
    if (port !== "codes") return;
    if (method === "removeExpired") {
      const before = z.number().parse(args[0]);
      for (const [owner, codes] of stored)
        if (codes.every(({ expiresAt }) => expiresAt < before)) stored.delete(owner);
      return;
    }
    const key = tried.parse(args[0]);
    const owner = `${key.appId} ${key.phoneHash}`;
    const codes = stored.get(owner) ?? [];
    const place = codes.findIndex(({ codeHash }) => codeHash === key.codeHash);
    if (method === "add" && added.safeParse(answer).success)
      stored.set(owner, [{ ...made.parse(args[0]), tries: 0 }, ...codes]);
    if (method === "drop" && done.safeParse(answer).success && place >= 0)
      stored.set(owner, codes.toSpliced(place, 1));
    if (method === "dropEarlier" && done.safeParse(answer).success && place >= 0)
      stored.set(owner, codes.slice(0, place + 1));
    const outcome = method === "attempt" ? attempted.safeParse(answer).data?.value : undefined;
    if (outcome === undefined) return;
    const { now } = limits.parse(args[1]);
    const live = codes.slice(0, 2).filter(({ expiresAt }) => now < expiresAt);
    const right = live.find(({ codeHash }) => codeHash === key.codeHash);
    if (outcome === "matched") {
      const fits = right !== undefined && right.tries < policy.codeTries;
      invariant("a code opens one session", fits, () => "it was used, replaced, expired, spent or wrong");
      stored.set(owner, []);
    }
    if (outcome !== "wrong") return;
    invariant(
      "a code that arrived is valid",
      right === undefined || right.tries >= policy.codeTries,
      () => "the right code was refused",
    );
    for (const code of live) code.tries += 1;
    const { date } = businessDay(policy.timeZone, now);
    const count = (wrong.get(`${owner} ${date}`) ?? 0) + 1;
    wrong.set(`${owner} ${date}`, count);
    invariant(
      "limited wrong attempts per day",
      count <= policy.codeTriesPerDay,
      () => `${String(count)} on ${date}`,
    );
    invariant(
      "limited attempts per code",
      live.some(({ tries }) => tries <= policy.codeTries),
      () => "every live code was spent",
    );
  });
}
