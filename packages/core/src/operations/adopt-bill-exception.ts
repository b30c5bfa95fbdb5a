import { err, ok, type ResultAsync } from "neverthrow";
import type { BillException } from "../bills/bill-exception.js";
import { isRemedyOffered } from "../bills/remedies.js";
import type { StorageFailure } from "../errors/failure.js";
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
  | AdoptRefundFailure
  | OperatorFailure
  | InputFailure
  | StorageFailure;

/**
 * Asks the wallet about the payment or refund of an OPEN exception, and records what it signs.
 *
 * Does for one exception what the comparison of the bill does for all: only the wallet's signed
 * answer changes the order or adopts the refund. Then the exception is HEALED. Safe to repeat.
 *
 * @returns the HEALED exception. Fails with `bill-exception.not-offered` if no order has its
 *   number, or for another kind, and with `bill-exception.not-confirmed` or the wallet's failure if
 *   the wallet does not confirm what the bill lists. The exception stays OPEN then.
 * @example
 * ```ts
 * import { adoptBillException, parseInput, resolveBillExceptionInput } from "@tillkit/core";
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
    const found = await ports.billExceptions.find(id);
    if (found.isErr()) return err(found.error);
    const exception = found.value;
    if (exception === undefined) return failAdoption({ name: "bill-exception.not-found" });
    if (exception.state === "HEALED") return ok(exception);
    if (exception.state !== "OPEN") return failAdoption({ name: "bill-exception.not-open", exception });
    const { order } = exception;
    if (order === undefined || !isRemedyOffered(exception, "adopt", ports.clock.now()))
      return failAdoption({ name: "bill-exception.not-offered", exception });
    const amount = await adoptedAmount(ports, order, exception, { operator, reason: note });
    if (amount.isErr()) return err(amount.error);
    if (amount.value !== exception.amountThere) return failAdoption({ name: "bill-exception.not-confirmed" });
    const healed = await ports.billExceptions.markHealed([id], ports.clock.now());
    if (healed.isErr()) return err(healed.error);
    const stored = await ports.billExceptions.find(id);
    return stored.isErr() ? err(stored.error) : ok(stored.value ?? exception);
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
      const synced = await syncOrder(ports, appId, bizNo);
      if (synced.isErr()) return err(synced.error);
      return ok(canChangeAtWallet(synced.value) ? undefined : synced.value.amount);
    }
    const parsed = parseInput(adoptRefundInput(ports.policy), { bizNo, walletRefundNo, ...by });
    if (parsed.isErr()) return err(parsed.error);
    const adopted = await adoptRefund(ports, appId, parsed.value);
    return adopted.isErr() ? err(adopted.error) : ok(adopted.value.amount);
  });
}

function failAdoption(failure: AdoptBillExceptionFailure) {
  return err<never, AdoptBillExceptionFailure>(failure);
}
