import type { Session } from "@tillkit/core/ports";
import { z } from "zod";
import type { InvariantCheck } from "../snapshot.js";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";

const done = z.object({ value: z.unknown() });
const owner = z.object({ appId: z.string(), customerId: z.string() });
const named = owner.extend({ tokenHash: z.string() });
const opened = named.extend({ gmtCreate: z.number(), expiresAt: z.number() });

/**
 * Checks that each customer has a limited number of sessions and that ended ones stay ended.
 *
 * When the limit is reached, the oldest session ends first.
 */
export function checkSessions({ simulation }: Scenario): InvariantCheck {
  let live: readonly Session[] = [];
  simulation.effects.push(({ port, method, args, answer }) => {
    if (port !== "sessions" || !done.safeParse(answer).success) return;
    if (method === "open") live = afterOpening(live, opened.parse(args[0]), z.number().parse(args[1]));
    if (method === "revoke") {
      const { tokenHash } = named.parse(args[0]);
      live = live.filter((session) => session.tokenHash !== tokenHash);
    }
    if (method === "revokeAll") {
      const customerId = z.string().parse(args[1]);
      live = live.filter((session) => session.customerId !== customerId);
    }
  });
  return ({ tokens }) => {
    const now = simulation.now();
    for (const [tokenHash, lives] of tokens) {
      const expected = live.some((session) => session.tokenHash === tokenHash && now < session.expiresAt);
      invariant(
        "the newest sessions are live",
        lives === expected,
        () => `one ${lives ? "lives on" : "ended early"}`,
      );
    }
  };
}

function afterOpening(live: readonly Session[], session: Session, maxLive: number): readonly Session[] {
  const others = live.filter(({ customerId }) => customerId !== session.customerId);
  const own = live
    .filter(({ customerId, expiresAt }) => customerId === session.customerId && session.gmtCreate < expiresAt)
    .sort((left, right) => left.gmtCreate - right.gmtCreate);
  return [...others, ...own.slice(Math.max(0, own.length + 1 - maxLive)), session];
}
