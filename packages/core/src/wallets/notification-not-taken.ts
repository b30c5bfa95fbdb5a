import { err } from "neverthrow";
import type { NotificationRefusal } from "./wallet.js";

/** Why a notification was not taken. */
export interface NotificationNotTaken {
  readonly name: "notification.refused";
  readonly reason: NotificationRefusal["reason"] | "unknown-account" | "unknown-order" | "mismatch";
}

/** The failure of a notification that is not taken. */
export function notTaken(reason: NotificationNotTaken["reason"]) {
  return err<never, NotificationNotTaken>({ name: "notification.refused", reason });
}
