import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AuditAction } from "./audit-action.js";
import type { AuditEntry, AuditEvent, AuditOutcome, ChangeRef } from "./audit-entry.js";

/** Selects entries of the audit log. Absent criteria select everything. */
export interface AuditQuery {
  readonly operator?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Selects entries of the given apps. Entries without an app are left out. */
  readonly apps?: readonly string[] | undefined;
  /** Selects entries with this subject, or with a subject that has this {@link subjectName}. */
  readonly subject?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the range of `at`, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The `next` of the previous page. Absent for the first page. */
  readonly before?: AuditPosition | undefined;
  readonly limit: number;
}

/** A change that an operator has begun, and whose outcome the log does not contain yet. */
export interface BegunChange {
  /** The entry of the change without its outcome. */
  readonly draft: Omit<AuditEntry, "outcome" | "change"> & { readonly change: ChangeRef };
  /** Until when only the process that began the change works on it, epoch milliseconds. */
  readonly leaseUntil: number;
}

/** An entry that is the outcome of a change. */
export type ChangeOutcome = AuditEvent & { readonly change: ChangeRef };

/**
 * The result of {@link AuditLog.begin}.
 *
 * - `begun`: the caller makes the change, and appends its entry.
 * - `running`: the operator has begun a change with this id. Its lease has not ended, or its digest
 *   differs.
 * - `recorded`: the log contains the outcome of a change with this id, which may have another
 *   digest.
 */
export type ChangeBeginning =
  | { readonly kind: "begun" }
  | { readonly kind: "running"; readonly change: BegunChange }
  | { readonly kind: "recorded"; readonly outcome: ChangeOutcome };

/** A position in a list of entries that is sorted by `at` and then by `seq`. */
export type AuditPosition = Pick<AuditEvent, "at" | "seq">;

/** A page of selected entries, newest first. */
export interface FoundEntries {
  readonly items: readonly AuditEvent[];
  /**
   * The position after which the next page begins. Absent on the last page.
   *
   * A page may have fewer entries than `limit`, or none, and still have a `next`: an adapter may
   * examine only a limited number of entries per call.
   */
  readonly next?: AuditPosition;
}

/**
 * Returns what a subject is about, without its type and app.
 *
 * For example, returns `biz-1` for `order:app_1/biz-1`, and `li` for `operator:li`.
 */
export function subjectName(subject: string): string {
  return subject.replace(/^[^:]*:(?:[^/]*\/)?/, "");
}

/**
 * Stores what operators did. Entries are never changed and never removed.
 *
 * Other stores have methods with a parameter `audit`. Such a method appends the entry in the same
 * transaction as the change. Every append of an entry with `change` also ends, in the same step,
 * the change that {@link AuditLog.begin} began. The append fails if the log already contains an
 * outcome of the change other than `unknown`, and then nothing of its step takes effect. So each
 * change takes effect at most once.
 *
 * The only failure is a {@link StorageFailure}. Tested by `auditLogContract`.
 */
export interface AuditLog {
  /**
   * Appends an entry. Concurrent appends form one chain without gaps.
   *
   * For actions that change no other record: sign-ins, refusals, exports and calls of a wallet.
   */
  append(entry: AuditEntry): ResultAsync<AuditEvent, StorageFailure>;
  /**
   * Stores that the operator of `change.draft` has begun a change, before anything is done for it.
   *
   * Stores nothing in these cases:
   *
   * - The log contains an outcome other than `unknown` of the operator's change with this id.
   * - The operator has used the id with another digest.
   * - The lease of the begun change has not ended at `now`.
   *
   * A change whose outcome is `unknown`, or whose lease has ended, begins again. Of concurrent
   * calls, one begins.
   */
  begin(change: BegunChange, now: number): ResultAsync<ChangeBeginning, StorageFailure>;
  /**
   * Returns the outcome of the operator's change with this id, or else the begun change.
   *
   * An outcome other than `unknown` comes first, then a begun change, then the last `unknown`.
   */
  findChange(
    operator: string,
    changeId: string,
  ): ResultAsync<Exclude<ChangeBeginning, { readonly kind: "begun" }> | undefined, StorageFailure>;
  /** Deletes a begun change that had no effect, without an entry in the log. */
  withdraw(operator: string, changeId: string): ResultAsync<void, StorageFailure>;
  /**
   * Appends an entry with the outcome `unknown` for up to `limit` changes that did not end.
   *
   * @param before - selects the changes whose lease ended by this time, epoch milliseconds.
   * @param at - the time of the entries, epoch milliseconds.
   * @returns how many entries this call appended. Concurrent calls append one for each change.
   */
  recordAbandoned(before: number, at: number, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Returns a page of the selected entries, newest first by `at` and then by `seq`.
   *
   * On one server, the cost does not grow with the number of stored entries.
   */
  search(query: AuditQuery): ResultAsync<FoundEntries, StorageFailure>;
  /** Returns the entries after the number `after`, oldest first, for an export and for checks. */
  read(after: number, limit: number): ResultAsync<readonly AuditEvent[], StorageFailure>;
}
