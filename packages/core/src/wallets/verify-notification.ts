import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import { withProvider } from "../pay-tools/with-provider.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { NotificationAddress } from "./notification-address.js";
import { type NotificationNotAccepted, notAccepted } from "./notification-not-accepted.js";
import type { RawNotification, WalletEvent } from "./wallet.js";

/** A notification with a valid signature, and the pay tool that it was sent to. */
export interface VerifiedNotification {
  readonly account: WalletAccount;
  readonly event: WalletEvent;
}

/**
 * Verifies that the wallet of the addressed pay tool signed the notification. Changes nothing.
 *
 * Always reads the pay tool and its provider from storage, because a key may have been replaced a
 * moment ago.
 */
export function verifyNotification(
  ports: Pick<Ports, "payTools" | "wallets" | "clock" | "policy">,
  address: NotificationAddress,
  notification: RawNotification,
): ResultAsync<VerifiedNotification, NotificationNotAccepted | StorageFailure> {
  return attempt(async () => {
    const payTool = await ports.payTools.find(address.payToolId);
    if (payTool.isErr()) return payTool;
    if (payTool.value?.payChannel !== address.payChannel) return notAccepted("unknown-account");
    const account = await withProvider(ports.payTools, payTool.value);
    if (account.isErr()) return account;
    const time = { now: ports.clock.now(), skew: ports.policy.notificationSkew };
    const event = await ports.wallets[account.value.payChannel].readNotification(
      account.value,
      notification,
      time,
    );
    if (event.isErr()) return event;
    return ok({ account: account.value, event: event.value });
  });
}
