import { businessDay } from "@tillkit/core";
import { z } from "zod";
import type { Check } from "../book.js";
import type { Scene } from "../scene.js";
import { promise } from "../violation.js";

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
export function checkQuotas(scene: Scene): Check {
  const used = new Map<string, number>();
  let smsUnits = 0;
  scene.world.effects.push(({ port, verb, args, answer }) => {
    if (port !== "quotas") return;
    const { scope, subject } = quotaKey.safeParse(args[0]).data ?? { scope: "", subject: "" };
    if (verb === "take" && granted.safeParse(answer).success) {
      const { day, limit } = quotaTake.parse(args[1]);
      const count = (used.get(`${scope} ${subject} ${day}`) ?? 0) + 1;
      used.set(`${scope} ${subject} ${day}`, count);
      promise("no more units than the limit", count <= limit, () => `${String(count)} of ${scope} on ${day}`);
      if (scope === "sms") smsUnits += 1;
    }
    if (verb === "giveBack" && done.safeParse(answer).success) {
      const day = z.string().parse(args[1]);
      used.set(`${scope} ${subject} ${day}`, (used.get(`${scope} ${subject} ${day}`) ?? 1) - 1);
      if (scope === "sms") smsUnits -= 1;
    }
  });
  return () => {
    const { length } = scene.world.carrier.messages;
    promise(
      "no message without a unit",
      length <= smsUnits,
      () => `${String(length)} of ${String(smsUnits)}`,
    );
  };
}

/** Checks the limits of login codes: one session per code, tries per code, wrong tries per day. */
export function checkCodes({ world: { effects, policy } }: Scene): void {
  const live = new Map<string, LiveCode>();
  const wrong = new Map<string, number>();
  effects.push(({ port, verb, args, answer }) => {
    if (port === "codes" && verb === "replace" && done.safeParse(answer).success) {
      const code = made.parse(args[0]);
      live.set(`${code.appId} ${code.phoneHash}`, { ...code, tries: 0, used: false });
    }
    if (port === "codes" && verb === "drop" && done.safeParse(answer).success) {
      const dropped = tried.parse(args[0]);
      const owner = `${dropped.appId} ${dropped.phoneHash}`;
      if (live.get(owner)?.codeHash === dropped.codeHash) live.delete(owner);
    }
    if (port === "codes" && verb === "removeExpired" && done.safeParse(answer).success) {
      const before = z.number().parse(args[0]);
      for (const [owner, { expiresAt }] of live) if (expiresAt < before) live.delete(owner);
    }
    const outcome = verb === "attempt" ? attempted.safeParse(answer).data?.value : undefined;
    if (port !== "codes" || outcome === undefined) return;
    const attempt = tried.parse(args[0]);
    const now = z.number().parse(args[1]);
    const owner = `${attempt.appId} ${attempt.phoneHash}`;
    const code = live.get(owner);
    if (outcome === "wrong") {
      const { date } = businessDay(policy.timeZone, now);
      const count = (wrong.get(`${owner} ${date}`) ?? 0) + 1;
      wrong.set(`${owner} ${date}`, count);
      promise("few wrong tries a day", count <= policy.codeTriesPerDay, () => `${String(count)} on ${date}`);
    }
    if (outcome === "matched") {
      const fits = code?.used === false && code.codeHash === attempt.codeHash && now < code.expiresAt;
      promise("a code opens one session", fits, () => "it was used, replaced, expired or wrong");
    }
    // A used or expired code is always refused, so further tries do not count.
    if (code === undefined || code.used || now >= code.expiresAt || outcome === "exhausted") return;
    code.tries += 1;
    code.used = outcome === "matched";
    promise("a code survives few tries", code.tries <= policy.codeTries, () => String(code.tries));
  });
}
