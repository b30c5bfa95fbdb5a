import { businessDay, type QuotaKey } from "@tillkit/core";
import { auditEntryOf, peerKey } from "@tillkit/core/operators";
import type { AuditAction } from "@tillkit/core/ports";
import { commandOf, operatorName } from "./command-of.js";
import type { RouteContext } from "./route-context.js";

/** How many refused requests without a session the log records per address and day. */
const RECORDED_PER_ADDRESS = 100;
/** How many refused and failed requests of one operator the log records per day. */
const RECORDED_PER_OPERATOR = 500;
/** Within this time, the log records equal refusals once, in milliseconds. */
const REPEATED_WITHIN = 60_000;

/**
 * The failures of reads that get an entry in the log. Any other failure means that the sender must
 * sign in.
 */
const REFUSED_READS: ReadonlySet<string> = new Set([
  "app.not-visible",
  "exports.limited",
  "origin.forbidden",
  "permission.denied",
  "streams.limited",
]);

/** What a refused request was about. */
interface RefusedRoute {
  readonly action?: AuditAction;
  readonly path: string;
  /** Returns the subject of an audit entry. */
  subject(inPath: Readonly<Record<string, string>>): string;
}

/**
 * Records a refused request in the audit log.
 *
 * The number of entries is limited for each operator, and for each address without a session, so
 * that refusals cannot fill the log. Equal refusals within a minute get one entry. A failure of the
 * storage is ignored: the request is refused in any case.
 *
 * @param appId - the app that the sender asked for.
 */
export async function recordRefusal(
  context: RouteContext,
  route: RefusedRoute,
  inPath: Readonly<Record<string, string>>,
  failure: { readonly name: string },
  appId?: string,
): Promise<void> {
  const { action = "data.read" } = route;
  const { ports, identified, origin } = context;
  const isRead = route.action === undefined;
  if (isRead && (identified === undefined || !REFUSED_READS.has(failure.name))) return;
  const subject = auditText(
    route.subject(inPath) || (action === "data.read" ? pathOf(route, inPath) : ""),
    200,
  );
  const key = ["refused", action, subject, failure.name, appId ?? ""];
  const isRecorded =
    identified === undefined
      ? await takeUnit(context, ["refused", peerKey(origin.from)], RECORDED_PER_ADDRESS)
      : await takeRefusal(context, key);
  if (!isRecorded) return;
  const facts = {
    action,
    outcome: "refused",
    subject,
    detail: JSON.stringify({ failure: failure.name }),
    ...(appId === undefined ? {} : { appId: auditText(appId, 64) }),
  } as const;
  await ports.auditLog.append(auditEntryOf(ports, commandOf(context, ""), facts));
}

/** Returns whether the log records one more failed or refused request of the sender today. */
export function takeFailure(context: RouteContext): Promise<boolean> {
  return takeUnit(context, ["failed", operatorName(context)], RECORDED_PER_OPERATOR);
}

/** Like {@link takeFailure}, but returns false after an equal refusal within a minute. */
async function takeRefusal(context: RouteContext, key: readonly string[]): Promise<boolean> {
  // The limit comes first, so that the counters of single refusals are limited, too.
  if (!(await takeFailure(context))) return false;
  const operator = operatorName(context);
  if (await takeUnit(context, [operator, ...key], RECORDED_PER_OPERATOR, REPEATED_WITHIN)) return true;
  const { ports } = context;
  const { date: day } = businessDay(ports.policy.timeZone, ports.clock.now());
  await ports.quotas.giveBack(keyOf(context, ["failed", operator]), day);
  return false;
}

async function takeUnit(
  context: RouteContext,
  counted: readonly string[],
  limit: number,
  spacing = 0,
): Promise<boolean> {
  const { clock, policy, quotas } = context.ports;
  const now = clock.now();
  const { date: day } = businessDay(policy.timeZone, now);
  const unit = await quotas.take(keyOf(context, counted), { day, limit, now, spacing });
  return unit.isOk() && unit.value.granted;
}

function keyOf({ ports }: RouteContext, counted: readonly string[]): QuotaKey {
  return { scope: "operator-sign-in", subject: ports.digest.sha256(JSON.stringify(counted)) };
}

/** Returns the path that a read asked for. */
function pathOf({ path }: RefusedRoute, inPath: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? "");
}

/** Shortens a text and replaces characters that an audit entry must not contain. */
function auditText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\p{Cc}\p{Surrogate}]/gu, "?");
}
