import { err, ok, type ResultAsync } from "neverthrow";
import { attempt } from "../shared/attempt.js";
import type { Refund } from "../refunds/refund.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import {
  makeRefund,
  type RefundDraft,
  type RefundGrounds,
  type RefundOrderFailure,
} from "../refunds/refund-order.js";

/**
 * A stored refund and what is known about it.
 *
 * - `refunded`: the customer has the money.
 * - `accepted`: the wallet works on it, or it waits for the merchant. See `refund.status`.
 * - `unknown`: the wallet gave no definite answer. The reconciler repeats the refund.
 */
export interface MadeRefund {
  readonly outcome: "refunded" | "accepted" | "unknown";
  readonly refund: Refund;
}

/**
 * Returns a stored refund with what its status says.
 *
 * @returns the refund with the outcome `refunded` or `accepted`.
 * @example
 * ```ts
 * import { knownRefund, type Refund } from "@tillkit/core";
 *
 * declare const refund: Refund;
 *
 * const { outcome } = knownRefund(refund);
 * ```
 */
export function knownRefund(refund: Refund): MadeRefund {
  const ended = refund.status === "CONFIRMED" || refund.status === "SETTLED";
  return { outcome: ended ? "refunded" : "accepted", refund };
}

/**
 * Makes a refund, or continues the existing one with the same number.
 *
 * @returns the stored refund, also if the outcome is unknown. Fails with `refund.outcome-unknown`
 *   if nothing was stored.
 */
export function makeKnownRefund(
  ports: SendRefundPorts,
  appId: string,
  draft: RefundDraft,
  grounds?: RefundGrounds,
): ResultAsync<MadeRefund, RefundOrderFailure> {
  return attempt(async () => {
    const made = await makeRefund(ports, appId, draft, grounds);
    if (made.isOk()) return ok<MadeRefund>(knownRefund(made.value));
    if (made.error.name !== "refund.outcome-unknown") return err(made.error);
    const listed = await ports.refunds.list({ appId, bizNo: draft.bizNo });
    if (listed.isErr()) return listed;
    const refund = listed.value.find(({ refundNo }) => refundNo === draft.refundNo);
    return refund === undefined ? err(made.error) : ok<MadeRefund>({ outcome: "unknown", refund });
  });
}
