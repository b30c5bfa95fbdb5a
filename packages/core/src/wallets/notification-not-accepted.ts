import { err } from "neverthrow";
import type { NotificationRefusal } from "./wallet.js";

/**
 * A notification that was not accepted, with the reason.
 *
 * `mismatch`: the message is genuine but does not match the stored order or refund.
 *
 * `unconfirmed`: the notification names a refund that is not stored, and the wallet has not
 * confirmed this refund to a query. The wallet's next notification may succeed.
 */
export interface NotificationNotAccepted {
  readonly name: "notification.refused";
  readonly reason:
    NotificationRefusal["reason"] | "unknown-account" | "unknown-order" | "mismatch" | "unconfirmed";
}

/** Returns the failure of a notification that was not accepted. */
export function notAccepted(reason: NotificationNotAccepted["reason"]) {
  return err<never, NotificationNotAccepted>({ name: "notification.refused", reason });
}
