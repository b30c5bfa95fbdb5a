import { auditEntryOf, detailWithFailure, outcomeOfFailure } from "@tillkit/core/operators";
import type { AuditAction, ChangeBeginning, ChangeOutcome, ChangeRef } from "@tillkit/core/ports";
import type { AuditEvent } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { type ApiFailure, recordedApiFailure, statusOf } from "./api-failure.js";
import { commandOf, operatorName } from "./command-of.js";
import { takeFailure } from "./record-refusal.js";
import type { RouteContext, RouteOutcome } from "./route-context.js";

/** A change that an operator requests, with everything that is needed to make it once. */
export interface RequestedChange<T> {
  readonly ref: ChangeRef;
  readonly action: AuditAction;
  readonly subject: string;
  readonly appId?: string;
  readonly reason: string;
  /** How long the change may take, in milliseconds. Defaults to `policy.workLease`. */
  readonly lease?: number;
  /** Makes the change. The audit entries of `context.origin` are the outcome of the change. */
  readonly run: (context: RouteContext) => PromiseLike<RouteOutcome<T>>;
  /** Reads the answer to a repetition of the change, which was made before. */
  readonly repeat: (done: ChangeOutcome) => PromiseLike<RouteOutcome<T>>;
}

/**
 * Makes a change once, even if its request arrives several times.
 *
 * The store records the change before it begins. Afterwards, the audit log stores its only outcome,
 * which each repetition returns. If this process dies in between, a repetition continues the change
 * after its lease.
 *
 * @returns the answer. Fails with `change.running` while another request makes the change, and with
 *   `change.conflict` if its id belongs to another change.
 */
export async function makeChangeOnce<T>(
  context: RouteContext,
  change: RequestedChange<T>,
): Promise<Result<T, ApiFailure>> {
  const { auditLog, policy } = context.ports;
  const { outcome: _none, ...draft } = entryOf(context, change);
  const begun = {
    draft: { ...draft, change: change.ref },
    leaseUntil: draft.at + (change.lease ?? policy.workLease),
  };
  const beginning = await auditLog.begin(begun, draft.at);
  if (beginning.isErr()) return err(beginning.error);
  if (beginning.value.kind !== "begun") return answerKnown(change, beginning.value);
  const mayRecordRefusal = () => takeFailure(context);
  const recorded: AuditEvent[] = [];
  const onRecorded = (entry: AuditEvent) => {
    if (entry.change?.id === change.ref.id && entry.outcome === "done") recorded.push(entry);
  };
  const origin = { ...context.origin, change: change.ref, mayRecordRefusal, onRecorded };
  const made = await change.run({ ...context, origin });
  if (made.isErr()) return endFailed(context, change, made.error);
  return recorded.length > 0 ? ok(made.value) : endDone(context, change, made.value);
}

/** Answers a repetition. */
async function answerKnown<T>(
  { ref, repeat }: Pick<RequestedChange<T>, "ref" | "repeat">,
  known: Exclude<ChangeBeginning, { readonly kind: "begun" }>,
): Promise<Result<T, ApiFailure>> {
  const { change } = known.kind === "running" ? known.change.draft : known.outcome;
  if (change.digest !== ref.digest) return err({ name: "change.conflict" });
  if (known.kind === "running") return err({ name: "change.running" });
  if (known.outcome.outcome !== "done") return err(recordedApiFailure(known.outcome));
  const answer = await repeat(known.outcome);
  return answer.isOk() ? ok(answer.value) : err(answer.error);
}

/** Records that the change was made, unless the store has done so together with the change. */
async function endDone<T>(
  context: RouteContext,
  change: RequestedChange<T>,
  answer: T,
): Promise<Result<T, ApiFailure>> {
  const { auditLog } = context.ports;
  const known = await auditLog.findChange(operatorName(context), change.ref.id);
  if (known.isErr()) return err(known.error);
  if (known.value?.kind === "recorded" && known.value.outcome.outcome !== "unknown") {
    // Another request may have ended the change after the lease of this request.
    return known.value.outcome.outcome === "done" ? ok(answer) : answerKnown(change, known.value);
  }
  const appended = await auditLog.append(entryOf(context, change));
  return appended.isErr() ? err(appended.error) : ok(answer);
}

/** Records that the change failed, unless the store or another request has recorded its outcome. */
async function endFailed<T>(
  context: RouteContext,
  change: RequestedChange<T>,
  failure: ApiFailure,
): Promise<Result<T, ApiFailure>> {
  const { auditLog } = context.ports;
  const operator = operatorName(context);
  // The same change may succeed a little later, so its id stays unused.
  if (statusOf(failure) === 429) {
    await auditLog.withdraw(operator, change.ref.id);
    return err(failure);
  }
  const known = await auditLog.findChange(operator, change.ref.id);
  // Reports the failure of the change, even if the log now fails, too.
  if (known.isErr()) return err(failure);
  if (known.value?.kind === "recorded")
    return known.value.outcome.outcome === "done" ? answerKnown(change, known.value) : err(failure);
  if (!(await takeFailure(context))) {
    await auditLog.withdraw(operator, change.ref.id);
    return err(failure);
  }
  const outcome = isRefusal(failure) ? "refused" : outcomeOfFailure(failure);
  await auditLog.append({ ...entryOf(context, change), outcome, detail: detailWithFailure(failure) });
  return err(failure);
}

function isRefusal(failure: ApiFailure): boolean {
  return [401, 403].includes(statusOf(failure));
}

function entryOf<T>(context: RouteContext, { ref, reason, action, subject, appId }: RequestedChange<T>) {
  const by = { ...commandOf(context, reason), change: ref };
  const facts = { action, subject };
  return auditEntryOf(context.ports, by, appId === undefined ? facts : { ...facts, appId });
}
