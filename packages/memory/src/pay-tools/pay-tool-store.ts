import { type PayTool, type WalletAccount, PAY_CHANNELS } from "@tillkit/core";
import { type PayToolStore, isSameAccount } from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, compositeKey, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `PayToolStore` in memory. Credentials are not encrypted. */
export function memoryPayToolStore(
  state: Pick<MemoryState, "payTools" | "currentPayTools"> & AuditState,
): PayToolStore {
  const { payTools, currentPayTools } = state;
  const current = (appId: string, payChannel: string): WalletAccount | undefined => {
    const id = currentPayTools.get(compositeKey(appId, payChannel));
    return id === undefined ? undefined : payTools.get(id);
  };
  return {
    put: (account, audit) =>
      runAtomically(() => {
        const before = current(account.appId, account.payChannel);
        const kept = before !== undefined && sameMerchant(before, account) ? before : account;
        const after = frozen({ ...account, id: kept.id, gmtCreate: kept.gmtCreate });
        auditChange(state, audit);
        payTools.set(after.id, after);
        currentPayTools.set(compositeKey(after.appId, after.payChannel), after.id);
        return after;
      }),
    replace: (before, after, audit) =>
      runAtomically(() => {
        const stored = payTools.get(before.id);
        if (stored === undefined || !isSameAccount(stored, before)) return false;
        auditChange(state, audit);
        payTools.set(before.id, frozen(after));
        return true;
      }),
    current: (appId, payChannel) => runAtomically(() => current(appId, payChannel)),
    getCachedCurrent: current,
    find: (id) => runAtomically(() => payTools.get(id)),
    getCached: (id) => payTools.get(id),
    list: (appId) =>
      runAtomically(() =>
        PAY_CHANNELS.map((payChannel) => current(appId, payChannel))
          .filter((account) => account !== undefined)
          .map(withoutCredentials),
      ),
    listAll: () =>
      runAtomically(() =>
        [...payTools.values()].sort((left, right) => compareText(left.id, right.id)).map(withoutCredentials),
      ),
  };
}

function sameMerchant(left: WalletAccount, right: WalletAccount): boolean {
  return (
    left.accountId === right.accountId &&
    left.walletAppId === right.walletAppId &&
    left.appEnv === right.appEnv
  );
}

function withoutCredentials({ credentials: _secret, ...payTool }: WalletAccount): PayTool {
  return payTool;
}
