import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AuditAction } from "./audit-action.js";
import type { AuditEntry, AuditEvent, AuditOutcome } from "./audit-entry.js";

/** Selects entries of the audit log. Absent criteria select everything. */
export interface AuditQuery {
  readonly operator?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Selects entries of the given apps. Entries without an app are left out. */
  readonly apps?: readonly string[] | undefined;
  readonly subject?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the range of `at`, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The `seq` of the last entry of the previous page. Absent for the first page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Stores what operators did. Entries are never changed and never removed.
 *
 * Other stores append the entry of a change in the transaction of the change: their parameter
 * `audit`. The only failure is `storage.unavailable`. Tested by `auditLogContract`.
 */
export interface AuditLog {
  /**
   * Appends an entry. Concurrent appends form one chain without gaps.
   *
   * For what changes nothing else: sign-ins, refusals, exports and calls of a wallet.
   */
  append(entry: AuditEntry): ResultAsync<AuditEvent, StorageFailure>;
  /** Returns a page of the selected entries, newest first. */
  search(query: AuditQuery): ResultAsync<readonly AuditEvent[], StorageFailure>;
  /** Returns the entries after the number `after`, oldest first, for an export and for checks. */
  read(after: number, limit: number): ResultAsync<readonly AuditEvent[], StorageFailure>;
}
