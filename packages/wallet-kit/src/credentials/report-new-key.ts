import type { Observer, WalletAccount } from "@tillkit/core";
import { emit } from "../gateway/emit.js";
import type { DownloadedKey } from "./downloaded-keys.js";

/**
 * Emits `wallet.key-trusted` for a downloaded key that is new to an account.
 *
 * @example
 * ```ts
 * import type { Ports, WalletAccount } from "@tillkit/core";
 * import { type DownloadedKey, reportNewKey } from "@tillkit/wallet-kit";
 *
 * declare const ports: Ports;
 * declare const account: WalletAccount;
 * declare const downloaded: DownloadedKey;
 *
 * reportNewKey(ports.observer, account, downloaded);
 * ```
 */
export function reportNewKey(
  observer: Observer | undefined,
  { payChannel, accountId }: Pick<WalletAccount, "payChannel" | "accountId">,
  { name: serialNo, validFrom, expiresAt }: DownloadedKey,
): void {
  emit(observer, { type: "wallet.key-trusted", payChannel, accountId, serialNo, validFrom, expiresAt });
}
