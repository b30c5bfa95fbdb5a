import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { processRefund } from "./process-refund.js";
import type { SendRefundPorts } from "./refund-call.js";
import type { Refund } from "./refund.js";
import { keyOf } from "../orders/order.js";

/** Continues a due refund. Does nothing if its order no longer exists. */
export function pollRefund(
  ports: SendRefundPorts,
  refund: Refund,
): ResultAsync<void, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const orderResult = await ports.orders.find(keyOf(refund));
    if (orderResult.isErr()) return orderResult;
    const order = orderResult.value;
    if (order !== undefined) {
      const pursued = await processRefund(ports, order, refund);
      if (pursued.isErr()) return pursued;
    }
    return ok(undefined);
  });
}
