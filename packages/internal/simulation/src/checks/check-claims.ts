import { z } from "zod";
import type { Scenario } from "../scenario.js";
import { invariant } from "../violation.js";
import type { Effect } from "../simulation.js";

const claimed = z.object({
  value: z.array(z.object({ bizNo: z.string(), refundNo: z.string().optional() })),
});
const claim = z.tuple([z.number(), z.number(), z.number()]);
const keyed = z.tuple([z.object({ bizNo: z.string() }), z.unknown()], z.unknown());

/**
 * Checks that due work belongs to one worker until its lease ends or its next due time is stored.
 */
export function checkClaims({ simulation: { effects } }: Scenario): void {
  for (const port of ["orders", "refunds"]) {
    const leases = new Map<string, number>();
    effects.push((effect) => {
      if (effect.port !== port) return;
      if (effect.method !== "claimDue") leases.delete(workOf(effect));
      const handedOut =
        effect.method === "claimDue" ? claimed.safeParse(effect.answer).data?.value : undefined;
      if (handedOut === undefined) return;
      const [now, , lease] = claim.parse(effect.args);
      for (const work of handedOut) {
        const name = `${work.bizNo} ${work.refundNo ?? ""}`;
        invariant("due work goes to one worker", now >= (leases.get(name) ?? 0), () => `${port}: ${name}`);
        leases.set(name, now + lease);
      }
    });
  }
}

/** Returns the order or refund that a store method writes, or an empty text for reading methods. */
function workOf({ method, args }: Effect): string {
  if (!WRITING.has(method)) return "";
  const [{ bizNo }, second] = keyed.parse(args);
  return `${bizNo} ${typeof second === "string" ? second : ""}`;
}

/** The methods that store when the work is due next. */
const WRITING: ReadonlySet<string> = new Set([
  "transition",
  "schedule",
  "markSent",
  "progress",
  "confirm",
  "reject",
]);
