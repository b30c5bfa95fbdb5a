import type { PayChannel } from "@tillkit/core";
import { z } from "zod";
import { REFUND_OUTCOMES, type RefundOutcome } from "./ledger-order.js";
import { sha256 } from "./shared/sha256.js";

/** The shape of a notice. */
export const notice = z
  .object({
    /** The same for all its attempts. */
    id: z.string(),
    payChannel: z.enum(["WALLET_A", "WALLET_B"]),
    about: z.enum(["payment", "refund", "closed"]),
    outTradeNo: z.string(),
    /** Of a refund; otherwise empty. */
    refundNo: z.string(),
    /** How the refund ended. */
    outcome: z.enum(REFUND_OUTCOMES).default("SUCCESS"),
    /** When the next attempt is due, epoch milliseconds. */
    dueAt: z.int(),
    /** How many attempts were made. */
    attempts: z.int(),
    /** Whether its first attempt was put off by a fault already. */
    putOff: z.boolean(),
    /** `acknowledged` and `over` are final: no attempt follows. `void` had nothing to report when it was due. */
    state: z.enum(["waiting", "acknowledged", "over", "void"]),
  })
  .readonly();
/** What a wallet has to tell the service until it is acknowledged, or until the wallet gives up. */
export type Notice = z.infer<typeof notice>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses before each wallet's repetitions, in milliseconds; after the last one it gives up. Source: the wallets' documents. */
const PAUSES: Readonly<Record<PayChannel, readonly number[]>> = {
  WALLET_A: [
    ...[15 * SECOND, 15 * SECOND, 30 * SECOND],
    ...[3 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, 30 * MINUTE, 30 * MINUTE, HOUR],
    ...[3 * HOUR, 3 * HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR],
  ],
  WALLET_B: [4 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 15 * HOUR],
};

/** What a notice is about beside its order: which refund, and how it ended. */
export interface NoticeOptions {
  readonly refundNo?: string;
  readonly outcome?: RefundOutcome;
  /** When the first attempt is due, epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * A notice before its first attempt.
 *
 * Its id is made of what it is about, so that there is one notice of each kind. A refund that ends twice, first ABNORMAL and then
 * otherwise, has a notice of each end.
 */
export function newNotice(
  payChannel: PayChannel,
  about: Notice["about"],
  outTradeNo: string,
  { refundNo = "", outcome = "SUCCESS", dueAt }: NoticeOptions,
): Notice {
  const subject = [about, outTradeNo, refundNo, ...(outcome === "SUCCESS" ? [] : [outcome])];
  const id = sha256(subject.join("\n")).slice(0, 32);
  const start = { attempts: 0, putOff: false, state: "waiting" } as const;
  return { id, payChannel, about, outTradeNo, refundNo, outcome, dueAt, ...start };
}

/** The notice after an attempt that was not acknowledged: due again by the wallet's schedule, or over. */
export function afterFailure(failed: Notice): Notice {
  const attempts = failed.attempts + 1;
  const pause = PAUSES[failed.payChannel][attempts - 1];
  if (pause === undefined) return { ...failed, attempts, state: "over" };
  return { ...failed, attempts, dueAt: failed.dueAt + pause };
}
