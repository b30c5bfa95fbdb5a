import type { PayTool, PayToolStore, WalletAccount } from "@tillkit/core";
import { PAY_CHANNELS } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { byText, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** Creates a `PayToolStore` in memory. Credentials are not encrypted. */
export function memoryPayToolStore(state: Pick<MemoryState, "payTools" | "currentPayTools">): PayToolStore {
  const { payTools, currentPayTools } = state;
  const current = (appId: string, payChannel: string): WalletAccount | undefined => {
    const id = currentPayTools.get(keyText(appId, payChannel));
    return id === undefined ? undefined : payTools.get(id);
  };
  return {
    put: (account) =>
      step(() => {
        const before = current(account.appId, account.payChannel);
        const kept = before !== undefined && sameMerchant(before, account) ? before : account;
        const after = frozen({ ...account, id: kept.id, gmtCreate: kept.gmtCreate });
        payTools.set(after.id, after);
        currentPayTools.set(keyText(after.appId, after.payChannel), after.id);
        return after;
      }),
    current: (appId, payChannel) => step(() => current(appId, payChannel)),
    recallCurrent: current,
    find: (id) => step(() => payTools.get(id)),
    recall: (id) => payTools.get(id),
    list: (appId) =>
      step(() =>
        PAY_CHANNELS.map((payChannel) => current(appId, payChannel))
          .filter((account) => account !== undefined)
          .map(withoutCredentials),
      ),
    listAll: () =>
      step(() =>
        [...payTools.values()].sort((left, right) => byText(left.id, right.id)).map(withoutCredentials),
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
