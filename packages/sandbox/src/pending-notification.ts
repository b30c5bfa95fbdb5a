import type { PayChannel } from "@tillkit/core";
import * as z from "zod";
import { REFUND_OUTCOMES, type RefundOutcome } from "./ledger-order.js";
import { sha256 } from "./shared/sha256.js";

/** The schema of a pending notification. */
export const pendingNotification = z
  .object({
    /** The same in all attempts. */
    id: z.string(),
    payChannel: z.enum(["WALLET_A", "WALLET_B"]),
    about: z.enum(["payment", "refund", "closed", "finished"]),
    outTradeNo: z.string(),
    /** The number of the refund; otherwise empty. */
    refundNo: z.string(),
    /** The outcome of the refund. */
    outcome: z.enum(REFUND_OUTCOMES),
    /** When the next attempt is due, in epoch milliseconds. */
    dueAt: z.int(),
    /** The number of attempts so far. */
    attempts: z.int(),
    /** Whether a fault has already delayed the first attempt. */
    putOff: z.boolean(),
    /** `acknowledged` and `over` are final. `void` had nothing to report when it was due. */
    state: z.enum(["waiting", "acknowledged", "over", "void"]),
  })
  .readonly();
/**
 * A notification that a wallet repeats until the service acknowledges it or the repeats end.
 *
 * `notification-repeats.ts` decides when.
 */
export type PendingNotification = z.infer<typeof pendingNotification>;

/** The refund that a notification reports, its outcome and the due time. */
export interface PendingNotificationOptions {
  readonly refundNo?: string;
  readonly outcome?: RefundOutcome;
  /** When the first attempt is due, in epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * Creates a pending notification before its first attempt.
 *
 * Its id is a hash of its subject, so each kind exists once per subject. A refund that ends twice,
 * first ABNORMAL and then with another outcome, has one notification for each end.
 */
export function newPendingNotification(
  payChannel: PayChannel,
  about: PendingNotification["about"],
  outTradeNo: string,
  { refundNo = "", outcome = "SUCCESS", dueAt }: PendingNotificationOptions,
): PendingNotification {
  const subject = [about, outTradeNo, refundNo, ...(outcome === "SUCCESS" ? [] : [outcome])];
  const id = sha256(subject.join("\n")).slice(0, 32);
  const start = { attempts: 0, putOff: false, state: "waiting" } as const;
  return { id, payChannel, about, outTradeNo, refundNo, outcome, dueAt, ...start };
}
