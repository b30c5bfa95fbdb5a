import type { PayChannel } from "@tillkit/core";
import type { PendingNotification } from "./pending-notification.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays before each wallet's repeats, in milliseconds. The wallet gives up after the last. */
const PAUSES: Readonly<Record<PayChannel, readonly number[]>> = {
  WALLET_A: [
    15 * SECOND,
    15 * SECOND,
    30 * SECOND,
    3 * MINUTE,
    10 * MINUTE,
    20 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    3 * HOUR,
    3 * HOUR,
    6 * HOUR,
    6 * HOUR,
  ],
  WALLET_B: [4 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 15 * HOUR],
};

/** Returns the notification after an unacknowledged attempt: due again, or over. */
export function afterFailure(failed: PendingNotification): PendingNotification {
  const attempts = failed.attempts + 1;
  const pause = PAUSES[failed.payChannel][attempts - 1];
  if (pause === undefined) return { ...failed, attempts, state: "over" };
  return { ...failed, attempts, dueAt: failed.dueAt + pause };
}
