import { auditEntryOf, businessDay, peerKey } from "@tillkit/core";
import { commandOf } from "./command-of.js";
import type { ApiFailure } from "./api-failure.js";
import type { OperatorRoute, RouteContext } from "./route.js";

/** How many refused requests without a session the log records per address and day. */
const RECORDED_PER_ADDRESS = 100;

/**
 * Records a refused change in the audit log.
 *
 * Requests without a session are recorded up to a limit for each address, so that they cannot fill
 * the log. A failure of the storage is ignored: the request is refused in any case.
 */
export async function recordRefusal(
  context: RouteContext,
  { action, subject }: Pick<OperatorRoute, "action" | "subject">,
  inPath: Readonly<Record<string, string>>,
  failure: ApiFailure,
): Promise<void> {
  if (action === undefined) return;
  const { ports, identified, origin } = context;
  if (identified === undefined) {
    const now = ports.clock.now();
    const { date: day } = businessDay(ports.policy.timeZone, now);
    const key = {
      scope: "operator-sign-in",
      subject: ports.digest.sha256(JSON.stringify(["refused", peerKey(origin.from)])),
    } as const;
    const unit = await ports.quotas.take(key, { day, limit: RECORDED_PER_ADDRESS, now, spacing: 0 });
    if (unit.isErr() || !unit.value.granted) return;
  }
  const detail = JSON.stringify({ failure: failure.name });
  const facts = { action, outcome: "refused", subject: auditSubject(subject(inPath)), detail } as const;
  await ports.auditLog.append(auditEntryOf(ports, commandOf(context, ""), facts));
}

/** Shortens a path and replaces characters that an audit entry must not contain. */
function auditSubject(subject: string): string {
  return subject.slice(0, 200).replace(/[\p{Cc}\p{Surrogate}]/gu, "?");
}
