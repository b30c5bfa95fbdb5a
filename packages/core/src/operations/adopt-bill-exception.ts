import { err, ok, type ResultAsync } from "neverthrow";
import type { BillException } from "../bills/bill-exception.js";
import { isRemedyOffered } from "../bills/remedies.js";
import { fail, type FailureOf, type StorageFailure } from "../errors/failure.js";
import { canChangeAtWallet } from "../orders/can-change-at-wallet.js";
import type { OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import {
  adoptRefund,
  type AdoptPorts,
  type AdoptRefundFailure,
  adoptRefundInput,
} from "../refunds/adopt-refund.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, parseInput } from "../shared/input.js";
import type { CloseBillExceptionFailure, ResolveBillExceptionInput } from "./close-bill-exception.js";
import type { OperatorFailure } from "./operator-failure.js";
import { syncOrder } from "./sync-order.js";

/**
 * Why an exception was not adopted.
 *
 * `not-confirmed`: the wallet does not confirm what the bill lists.
 */
export type AdoptBillExceptionFailure =
  | CloseBillExceptionFailure
  | { readonly name: "bill-exception.not-confirmed" }
  | FailureOf<"refund.status-conflict">
  | AdoptRefundFailure
  | OperatorFailure
  | InputFailure
  | StorageFailure;

/**
 * Queries the payment or refund of an OPEN exception, and records what the wallet signs.
 *
 * Does for one exception what the comparison of the bill does for all: only the wallet's signed
 * answer changes the order or adopts the refund. The exception then becomes HEALED. Safe to repeat.
 *
 * @returns the HEALED exception. Fails with `bill-exception.not-offered` if no order has the number
 *   of the exception, or if its kind cannot be adopted. Fails with `bill-exception.not-confirmed`
 *   or the wallet's failure if the wallet does not confirm what the bill lists. Fails with
 *   `refund.status-conflict` if the merchant paid the refund by other means. After such a failure,
 *   the exception stays OPEN.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { adoptBillException, resolveBillExceptionInput } from "@tillkit/core/operators";
 *
 * const id = "0123456789abcdef01234567";
 * const asked = { id, operator: "alex", note: "refunded in the console" };
 * const parsed = parseInput(resolveBillExceptionInput(), asked);
 * const healed = await parsed.asyncAndThen((input) => adoptBillException(ports, input));
 * ```
 */
export function adoptBillException(
  ports: AdoptPorts & Pick<Ports, "billExceptions">,
  { id, operator, note }: ResolveBillExceptionInput,
): ResultAsync<BillException, AdoptBillExceptionFailure> {
  return attempt(async () => {
    const exception = await ports.billExceptions.find(id);
    if (exception.isErr()) return err(exception.error);
    if (exception.value === undefined) return failAdoption({ name: "bill-exception.not-found" });
    if (exception.value.state === "HEALED") return ok(exception.value);
    if (exception.value.state !== "OPEN")
      return failAdoption({ name: "bill-exception.not-open", exception: exception.value });
    const { order } = exception.value;
    if (order === undefined || !isRemedyOffered(exception.value, "adopt", ports.clock.now()))
      return failAdoption({ name: "bill-exception.not-offered", exception: exception.value });
    const amount = await adoptedAmount(ports, order, exception.value, { operator, reason: note });
    if (amount.isErr()) return err(amount.error);
    if (amount.value !== exception.value.amountThere)
      return failAdoption({ name: "bill-exception.not-confirmed" });
    const healed = await ports.billExceptions.markHealed([id], ports.clock.now());
    if (healed.isErr()) return err(healed.error);
    const current = await ports.billExceptions.find(id);
    return current.isErr() ? err(current.error) : ok(current.value ?? exception.value);
  });
}

/** Returns the cents that the wallet confirms. `undefined`: the order is not paid. */
function adoptedAmount(
  ports: AdoptPorts & Pick<Ports, "billExceptions">,
  { appId, bizNo }: OrderKey,
  { kind, refundNo: walletRefundNo }: BillException,
  by: { readonly operator: string; readonly reason: string },
): ResultAsync<number | undefined, AdoptBillExceptionFailure> {
  return attempt(async () => {
    if (kind === "PAYMENT_NOT_HERE") {
      const order = await syncOrder(ports, appId, bizNo);
      if (order.isErr()) return err(order.error);
      return ok(canChangeAtWallet(order.value) ? undefined : order.value.amount);
    }
    const parsed = parseInput(adoptRefundInput(ports.policy), { bizNo, walletRefundNo, ...by });
    if (parsed.isErr()) return err(parsed.error);
    const refund = await adoptRefund(ports, appId, parsed.value);
    if (refund.isErr()) return err(refund.error);
    // As in `healDifferences`, SETTLED is not enough: a person decides who paid the customer.
    const { status, amount } = refund.value;
    return status === "CONFIRMED" ? ok(amount) : fail("refund.status-conflict", { status });
  });
}

function failAdoption(failure: AdoptBillExceptionFailure) {
  return err<never, AdoptBillExceptionFailure>(failure);
}
