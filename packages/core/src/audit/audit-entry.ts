import type { Digest } from "../shared/digest.js";
import type { AuditAction } from "./audit-action.js";

/**
 * How an audited action ended.
 *
 * - `done`: it took effect.
 * - `refused`: the operator was not allowed to do it, or the request was not valid.
 * - `failed`: it was allowed and did not succeed.
 * - `unknown`: it was begun, and the log does not contain how it ended. If the same change is
 *   continued, another entry has its outcome.
 */
export const AUDIT_OUTCOMES = ["done", "refused", "failed", "unknown"] as const;
/** How one audited action ended. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Identifies one change that an operator wants, however often the request for it is sent. */
export interface ChangeRef {
  /** 16 to 64 characters `[A-Za-z0-9_-]`. Unique for one operator. */
  readonly id: string;
  /**
   * SHA-256 of what the operator asked for, so that one id cannot stand for two changes.
   *
   * Empty for a command, which cannot be sent again with the same id.
   */
  readonly digest: string;
}

/** An entry of the audit log before it is added to the hash chain. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The name of the operator. Empty for a request without a session. */
  readonly operator: string;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** What the action was about, such as `order:app_1/biz-1`, `app:app_1` or `operator:li`. */
  readonly subject: string;
  /** The app of the subject. Absent if it belongs to no app. */
  readonly appId?: string;
  /**
   * The operator's reason. Empty for sign-ins and exports, and for refused requests without one.
   */
  readonly reason: string;
  /**
   * Facts such as amounts, and old and new values, as JSON text.
   *
   * Contains no secret and no personal data.
   */
  readonly detail?: string;
  /** The address of the peer, `cli` or `host`. */
  readonly from: string;
  /** The trace id of the request. Empty for a command. */
  readonly traceId: string;
  /**
   * The change whose outcome this entry is. Absent for sign-ins and for refused reads.
   *
   * The log has at most one entry per change with an outcome other than `unknown`.
   */
  readonly change?: ChangeRef;
}

/**
 * Returns an entry whose detail also contains what a change replaced.
 *
 * For stores. A store reads the previous values in the same step that replaces them, so that the
 * entries of two concurrent changes do not contain the same previous values.
 *
 * @returns the entry with the member `before` in its detail.
 * @example
 * ```ts
 * import { type AuditEntry, entryWithBefore } from "@tillkit/core/ports";
 *
 * declare const audit: AuditEntry;
 *
 * const entry = entryWithBefore(audit, { serviceName: "Month" });
 * ```
 */
export function entryWithBefore(entry: AuditEntry, before: object): AuditEntry {
  const facts: unknown = JSON.parse(entry.detail ?? "{}");
  return { ...entry, detail: JSON.stringify(Object.assign({}, facts, { before })) };
}

/** An entry in the hash chain of the audit log. */
export interface AuditEvent extends AuditEntry {
  /** 1 for the first entry of the log. */
  readonly seq: number;
  /** Hash of the previous entry. Empty for the first entry. */
  readonly previousHash: string;
  /** SHA-256 of `previousHash`, a line feed and {@link auditText}. */
  readonly hash: string;
}

/**
 * Returns the canonical text of an entry. Its hash covers this text.
 *
 * @returns a JSON array of all members. An entry without a change has two members less.
 * @example
 * ```ts
 * import { type AuditEntry, auditText } from "@tillkit/core/ports";
 *
 * declare const entry: AuditEntry;
 *
 * const text = auditText(entry);
 * ```
 */
export function auditText(entry: AuditEntry): string {
  const {
    at,
    operator,
    action,
    outcome,
    subject,
    appId = null,
    reason,
    detail = null,
    from,
    traceId,
    change,
  } = entry;
  const members = [at, operator, action, outcome, subject, appId, reason, detail, from, traceId];
  return JSON.stringify(change === undefined ? members : [...members, change.id, change.digest]);
}

/**
 * Returns the hash of an entry that follows `previousHash`.
 *
 * @returns 64 hexadecimal digits.
 * @example
 * ```ts
 * import { type AuditEntry, auditHash } from "@tillkit/core/ports";
 *
 * declare const entry: AuditEntry;
 *
 * const hash = auditHash(ports.digest, "", entry);
 * ```
 */
export function auditHash(digest: Pick<Digest, "sha256">, previousHash: string, entry: AuditEntry): string {
  return digest.sha256(`${previousHash}\n${auditText(entry)}`);
}

/**
 * Adds an entry to the chain. For adapters.
 *
 * @returns the entry that follows `previous`, with its number and hash.
 * @example
 * ```ts
 * import { type AuditEntry, chainedAuditEvent } from "@tillkit/core/ports";
 *
 * declare const entry: AuditEntry;
 *
 * const first = chainedAuditEvent(ports.digest, undefined, entry);
 * const second = chainedAuditEvent(ports.digest, first, entry);
 * ```
 */
export function chainedAuditEvent(
  digest: Pick<Digest, "sha256">,
  previous: Pick<AuditEvent, "seq" | "hash"> | undefined,
  entry: AuditEntry,
): AuditEvent {
  const previousHash = previous?.hash ?? "";
  return {
    ...entry,
    seq: (previous?.seq ?? 0) + 1,
    previousHash,
    hash: auditHash(digest, previousHash, entry),
  };
}
