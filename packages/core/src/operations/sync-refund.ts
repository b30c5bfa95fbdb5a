import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import { findRefund } from "../refunds/find-refund.js";
import { processRefund } from "../refunds/process-refund.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import { isOpenRefund, type Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";

/** Why an operator's query about a refund fails. */
export type SyncRefundFailure = FailureOf<
  "order.not-found" | "refund.not-found" | "pay-tool.not-configured" | StorageFailureName
>;

/**
 * Continues an open refund at its wallet now, for an operator, and returns the updated refund.
 *
 * Does what the reconciler does when the refund is due. It queries the wallet. It sends the refund
 * again only under its own number, and only if the wallet does not have the refund or asks for the
 * same request again. A refund that has ended is returned unchanged.
 *
 * @returns the refund as it is now. It stays open while the wallet gives no definite answer.
 * @example
 * ```ts
 * import { syncRefund } from "@tillkit/core/operators";
 *
 * const synced = await syncRefund(ports, "app_1", { bizNo: "order-1001", refundNo: "r-1" });
 * ```
 */
export function syncRefund(
  ports: SendRefundPorts,
  appId: string,
  key: { readonly bizNo: string; readonly refundNo: string },
): ResultAsync<Refund, SyncRefundFailure> {
  return attempt(async () => {
    const record = await findRefund(ports, appId, key);
    if (record.isErr()) return record;
    const { order, refund } = record.value;
    if (!isOpenRefund(refund)) return ok(refund);
    const outcome = processRefund(ports, order, refund);
    return outcome.map((after) => after.refund);
  });
}
