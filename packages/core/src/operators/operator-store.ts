import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Operator } from "./operator.js";
import type { OperatorAccount } from "./operator-account.js";

/** A new password of an operator. */
export interface PasswordChange {
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
  /** Whether the second factor is removed in the same step. */
  readonly removesSecondFactor: boolean;
  /** If another hash is stored, nothing changes. If absent, any stored hash is replaced. */
  readonly replaces?: string;
  /** Epoch milliseconds. Becomes `gmtModified`. */
  readonly at: number;
}

/** A new second factor of an operator, or its removal. */
export interface SecondFactorChange {
  /**
   * The token hash of the session that requests the change.
   *
   * If the session has ended, nothing changes.
   */
  readonly tokenHash: string;
  /** Absent: the second factor is removed. */
  readonly factor?: { readonly totpSecret: string; readonly totpLastStep: number };
  /** Nothing changes if another key is stored. Absent: nothing changes if any key is stored. */
  readonly replaces?: string;
  /** Epoch milliseconds. Becomes `gmtModified`. */
  readonly at: number;
}

/**
 * The change was refused: after it, no admin of every app who can sign in would be left.
 *
 * An operator could then create and change accounts on the command line only.
 */
export type LastAdmin = "last-admin";

/**
 * Stores the accounts of operators. Tested by `operatorStoreContract`.
 *
 * Every method is one atomic step that appends `audit` to the audit log if it changed something. A
 * method returns `undefined` for an account that does not exist. A method that gives rights to an
 * account replaces its `grants` by those of `grantsAfter`. The only failure is
 * a {@link StorageFailure}.
 *
 * The names of accounts are output of `operatorName()`, and unique if case is ignored: `Li` and
 * `li` are one account. `insertOnce` and `find` ignore upper and lower case. The other methods need
 * the stored name.
 */
export interface OperatorStore {
  /**
   * Stores the account unless its name exists, in upper or lower case.
   *
   * @returns the stored account, and whether this call stored it. Of concurrent calls with the same
   *   name, one stores it.
   */
  insertOnce(
    account: OperatorAccount,
    audit: AuditEntry,
  ): ResultAsync<{ readonly inserted: boolean; readonly account: OperatorAccount }, StorageFailure>;
  /** Returns the account with this name, in upper or lower case, also if it is disabled. */
  find(name: string): ResultAsync<OperatorAccount | undefined, StorageFailure>;
  /** Returns all accounts, sorted by name. */
  list(): ResultAsync<readonly OperatorAccount[], StorageFailure>;
  /**
   * Replaces the password and ends all sessions of the operator.
   *
   * A change by an operator other than the owner adds a grant of the kind `reset`.
   *
   * Returns `undefined` also if another password is stored than `change.replaces`.
   */
  setPassword(
    name: string,
    change: PasswordChange,
    audit: AuditEntry,
  ): ResultAsync<OperatorAccount | undefined, StorageFailure>;
  /**
   * Sets or removes the second factor, and ends the operator's other sessions.
   *
   * Of concurrent changes that replace the same key, one takes effect.
   *
   * @returns the changed account. `undefined` if another key is stored than `change.replaces`, or
   *   if the session has ended.
   */
  setSecondFactor(
    name: string,
    change: SecondFactorChange,
    audit: AuditEntry,
  ): ResultAsync<OperatorAccount | undefined, StorageFailure>;
  /**
   * Uses a time step of the second factor.
   *
   * Returns true if the account has a second factor and the step is later than the last used one.
   * Of concurrent calls with the same step, one returns true.
   */
  useTotpStep(name: string, step: number): ResultAsync<boolean, StorageFailure>;
  /**
   * Replaces the role and the apps, unless no active admin would be left.
   *
   * An active admin is an admin of every app who is not disabled. Of concurrent calls that would
   * together leave no active admin, at least one is refused.
   *
   * The store adds the replaced `role` and `apps` to the detail of the entry, with
   * `entryWithBefore`.
   *
   * The change adds a grant of the kind `raise` if `raisesRights` returns true.
   *
   * @param at - epoch milliseconds; becomes `gmtModified`.
   */
  setRole(
    operator: Operator,
    at: number,
    audit: AuditEntry,
  ): ResultAsync<OperatorAccount | LastAdmin | undefined, StorageFailure>;
  /**
   * Disables or enables the account. Disabling ends all sessions of the operator.
   *
   * Like `setRole`, it does not disable the last active admin. Enabling a disabled account adds a
   * grant of the kind `enable`.
   *
   * @param at - epoch milliseconds; becomes `gmtModified`, and `lastDisabledAt` if the account is
   *   disabled.
   */
  setDisabled(
    name: string,
    disabled: boolean,
    at: number,
    audit: AuditEntry,
  ): ResultAsync<OperatorAccount | LastAdmin | undefined, StorageFailure>;
}
