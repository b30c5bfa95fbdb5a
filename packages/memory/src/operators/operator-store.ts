import {
  type AuditEntry,
  entryWithBefore,
  grantsAfter,
  isActiveAdmin,
  type OperatorAccount,
  operatorNameKey,
  type OperatorStore,
  raisesRights,
} from "@tillkit/core/ports";
import { appendAudit, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

type OperatorState = Pick<MemoryState, "operators" | "operatorSessions"> & AuditState;

/** Creates an `OperatorStore` in memory. */
export function memoryOperatorStore(state: OperatorState): OperatorStore {
  const { operators } = state;
  const put = (account: OperatorAccount, audit: AuditEntry): OperatorAccount => {
    const stored = frozen(account);
    // Appended first, so that nothing changes if the log refuses the entry.
    appendAudit(state, audit);
    operators.set(stored.name, stored);
    return stored;
  };
  const find = (name: string): OperatorAccount | undefined => {
    const key = operatorNameKey(name);
    return [...operators.values()].find((known) => operatorNameKey(known.name) === key);
  };
  /** Returns whether a change would remove the last active admin. */
  const leavesNoAdmin = (account: OperatorAccount, changed: OperatorAccount): boolean =>
    isActiveAdmin(account) &&
    !isActiveAdmin(changed) &&
    [...operators.values()].filter(isActiveAdmin).length === 1;
  return {
    insertOnce: (account, audit) =>
      runAtomically(() => {
        const known = find(account.name);
        return known === undefined
          ? { inserted: true, account: put(account, audit) }
          : { inserted: false, account: known };
      }),
    find: (name) => runAtomically(() => find(name)),
    list: () =>
      runAtomically(() => [...operators.values()].sort((left, right) => compareText(left.name, right.name))),
    setPassword: (name, { passwordHash, mustChangePassword, removesSecondFactor, replaces, at }, audit) =>
      runAtomically(() => {
        const account = operators.get(name);
        if (account === undefined) return undefined;
        if (replaces !== undefined && replaces !== account.passwordHash) return undefined;
        const kept = removesSecondFactor ? withoutSecondFactor(account) : account;
        const grants = grantsAfter(account, "reset", audit);
        const changed = put({ ...kept, passwordHash, mustChangePassword, grants, gmtModified: at }, audit);
        endSessions(state, name);
        return changed;
      }),
    setSecondFactor: (name, { tokenHash, factor, replaces, at }, audit) =>
      runAtomically(() => {
        const account = operators.get(name);
        if (account === undefined || account.totpSecret !== replaces) return undefined;
        if (state.operatorSessions.get(tokenHash)?.operator !== name) return undefined;
        const changed = put({ ...withoutSecondFactor(account), ...factor, gmtModified: at }, audit);
        endSessions(state, name, tokenHash);
        return changed;
      }),
    useTotpStep: (name, step) =>
      runAtomically(() => {
        const account = operators.get(name);
        if (account?.totpSecret === undefined || step <= (account.totpLastStep ?? -1)) return false;
        operators.set(name, frozen({ ...account, totpLastStep: step }));
        return true;
      }),
    setRole: ({ name, role, apps }, at, audit) =>
      runAtomically(() => {
        const account = operators.get(name);
        if (account === undefined) return undefined;
        const { apps: _apps, ...rest } = account;
        const rights = { role, ...(apps === undefined ? {} : { apps }) };
        const grants = raisesRights(account, rights) ? grantsAfter(account, "raise", audit) : account.grants;
        const changed = { ...rest, ...rights, grants, gmtModified: at };
        if (leavesNoAdmin(account, changed)) return "last-admin";
        return put(changed, entryWithBefore(audit, { role: account.role, apps: account.apps }));
      }),
    setDisabled: (name, disabled, at, audit) =>
      runAtomically(() => {
        const account = operators.get(name);
        if (account === undefined || account.disabled === disabled) return account;
        if (!disabled) {
          const grants = grantsAfter(account, "enable", audit);
          return put({ ...account, disabled, grants, gmtModified: at }, audit);
        }
        const changed = { ...account, disabled, lastDisabledAt: at, gmtModified: at };
        if (leavesNoAdmin(account, changed)) return "last-admin";
        const stored = put(changed, audit);
        endSessions(state, name);
        return stored;
      }),
  };
}

/** Ends the sessions of an operator, except the one with the token hash `except`. */
function endSessions(
  { operatorSessions }: Pick<OperatorState, "operatorSessions">,
  name: string,
  except?: string,
): void {
  for (const { tokenHash, operator } of [...operatorSessions.values()])
    if (operator === name && tokenHash !== except) operatorSessions.delete(tokenHash);
}

function withoutSecondFactor(account: OperatorAccount): OperatorAccount {
  const { totpSecret: _secret, totpLastStep: _step, ...rest } = account;
  return rest;
}
