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
    const order = await ports.orders.find(keyOf(refund));
    if (order.isErr()) return order;
    if (order.value !== undefined) {
      const outcome = await processRefund(ports, order.value, refund);
      if (outcome.isErr()) return outcome;
    }
    return ok(undefined);
  });
}
