import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { eventWith } from "../orders/event-details.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { BillException } from "./bill-exception.js";

/**
 * Appends open differences to the timelines of their orders.
 *
 * Appends one entry each time that a difference becomes OPEN or has other amounts. A refund is
 * stored only if its request has read the whole timeline. So Tillkit rejects a refund if the new
 * entry was appended meanwhile.
 *
 * Call this function after the differences are stored, so that a reader of the entry also finds the
 * difference.
 */
export function recordDifferences(
  ports: Pick<Ports, "orders" | "billExceptions" | "clock">,
  exceptions: readonly BillException[],
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const results = await Promise.all(exceptions.map((exception) => recordIfOpen(ports, exception)));
    return results.find((one) => one.isErr()) ?? ok(undefined);
  });
}

function recordIfOpen(
  ports: Pick<Ports, "orders" | "billExceptions" | "clock">,
  { id, order }: BillException,
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    if (order === undefined) return ok(undefined);
    // The wallet may have confirmed in the meantime what its bill lists.
    const exception = await ports.billExceptions.find(id);
    if (exception.isErr()) return exception;
    if (exception.value?.state !== "OPEN") return ok(undefined);
    const { kind, day, amountThere, amountHere, openedAt } = exception.value;
    const amounts = {
      ...(amountThere === undefined ? {} : { amountThere }),
      ...(amountHere === undefined ? {} : { amountHere }),
    };
    const recorded = await ports.orders.record(order, {
      ...eventWith("BILL_DIFFERENCE", { kind, day, ...amounts }),
      at: ports.clock.now(),
      actor: "reconciler",
      evidence: [id, openedAt, amountThere ?? "", amountHere ?? ""].join(" ").trim(),
      alarm: false,
    });
    return recorded.map(() => undefined);
  });
}
