import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AuditAction } from "../audit/audit-action.js";
import type { BillException } from "../bills/bill-exception.js";
import type { BillResolution } from "../bills/bill-exception-store.js";
import { isRemedyOffered } from "../bills/remedies.js";
import { fail, type FailureOf, type StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type Origin } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { storedBizNo } from "../orders/biz-no.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { lazySchema, nonBlankText, perPolicy, singleLineText } from "../shared/input.js";

const closingShape = () => ({ id: singleLineText(64), operator: nonBlankText(64), note: nonBlankText(500) });

/** The parameters of {@link resolveBillException}: the id, the operator and a note. */
export const resolveBillExceptionInput = lazySchema(() =>
  z.object(closingShape()).brand<"ResolveBillExceptionInput">(),
);
/** Valid parameters, the output of `parseInput(resolveBillExceptionInput(), …)`. */
export type ResolveBillExceptionInput = z.output<ReturnType<typeof resolveBillExceptionInput>>;

/** The parameters of {@link assignBillException}, which include the key of the order. */
export const assignBillExceptionInput = perPolicy(() =>
  z
    .object({ ...closingShape(), appId: singleLineText(64), bizNo: storedBizNo() })
    .brand<"AssignBillExceptionInput">(),
);
/** Valid parameters, the output of `parseInput(assignBillExceptionInput(policy), …)`. */
export type AssignBillExceptionInput = z.output<ReturnType<typeof assignBillExceptionInput>>;

/** Why no exception was closed. */
export type CloseBillExceptionFailure =
  | { readonly name: "bill-exception.not-found" }
  | {
      readonly name: "bill-exception.not-open" | "bill-exception.not-offered";
      /** The unchanged exception. */
      readonly exception: BillException;
    };

type ClosePorts = Pick<Ports, "billExceptions" | "clock">;

/**
 * Marks an OPEN bill exception as RESOLVED, after an operator has settled or explained it.
 *
 * It moves no money and changes no order. A later run over the same bill keeps it RESOLVED unless
 * the amounts have changed.
 *
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the RESOLVED exception.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { resolveBillException, resolveBillExceptionInput } from "@tillkit/core/operators";
 *
 * const resolution = { id: "0123456789abcdef01234567", operator: "alex", note: "settled" };
 * const parsed = parseInput(resolveBillExceptionInput(), resolution);
 * const resolved = await parsed.asyncAndThen((input) => resolveBillException(ports, input));
 * ```
 */
export function resolveBillException(
  ports: ClosePorts,
  input: ResolveBillExceptionInput,
  origin?: Origin,
): ResultAsync<BillException, CloseBillExceptionFailure | StorageFailure> {
  return close(ports, input, { remedy: "settle" }, "bill-exception.resolve", origin);
}

/**
 * Records that the payment or refund of an OPEN exception belongs to no order of Tillkit.
 *
 * The function moves no money. It accepts PAYMENT_NOT_HERE, REFUND_NOT_HERE and MOVEMENT_UNKNOWN if
 * no order has the number, and always accepts LINE_MISSING and MOVEMENT_TOTAL. For LINE_MISSING, it
 * records that the wallet was right to remove the line. The next comparison then keeps the bill
 * without this line.
 *
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the RESOLVED exception. Fails with `bill-exception.not-offered` for any other exception.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { disownBillException, resolveBillExceptionInput } from "@tillkit/core/operators";
 *
 * const found = { id: "0123456789abcdef01234567", operator: "alex", note: "of the other shop" };
 * const parsed = parseInput(resolveBillExceptionInput(), found);
 * const closed = await parsed.asyncAndThen((input) => disownBillException(ports, input));
 * ```
 */
export function disownBillException(
  ports: ClosePorts,
  input: ResolveBillExceptionInput,
  origin?: Origin,
): ResultAsync<BillException, CloseBillExceptionFailure | StorageFailure> {
  return close(ports, input, { remedy: "not-ours" }, "bill-exception.not-ours", origin);
}

/**
 * Records that the payment or refund of an OPEN exception belongs to an order of Tillkit.
 *
 * The function moves no money and changes no status: the wallet has signed nothing about this
 * order. The exception names the order, and the timeline of the order gets the amount, the numbers
 * and the operator's note. Accepts PAYMENT_NOT_HERE, REFUND_NOT_HERE and MOVEMENT_UNKNOWN if no
 * order has the number. Safe to repeat.
 *
 * @param origin - where the command comes from. With it, the audit log gets an entry in the same
 *   transaction.
 * @returns the RESOLVED exception with the order. Fails with `order.not-found` if there is no such
 *   order, and with `bill-exception.not-offered` for any other exception.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { assignBillException, assignBillExceptionInput } from "@tillkit/core/operators";
 *
 * const assigned = await parseInput(assignBillExceptionInput(ports.policy), {
 *   id: "0123456789abcdef01234567",
 *   appId: "app_1",
 *   bizNo: "order-1001",
 *   operator: "alex",
 *   note: "paid with the QR code of the shop",
 * }).asyncAndThen((input) => assignBillException(ports, input));
 * ```
 */
export function assignBillException(
  ports: ClosePorts & Pick<Ports, "orders">,
  input: AssignBillExceptionInput,
  origin?: Origin,
): ResultAsync<BillException, CloseBillExceptionFailure | FailureOf<"order.not-found"> | StorageFailure> {
  return attempt(async () => {
    const key = { appId: input.appId, bizNo: input.bizNo };
    const order = await ports.orders.find(key);
    if (order.isErr()) return err(order.error);
    if (order.value === undefined) return fail("order.not-found");
    const as = { remedy: "assign", order: key } as const;
    const closure = await close(ports, input, as, "bill-exception.assign", origin);
    const exception = closure.isOk() ? closure.value : assignedBefore(closure.error, input);
    if (exception === undefined) return closure;
    const { id, kind, day, outTradeNo, refundNo, walletTradeNo, amountThere } = exception;
    // A retry completes a call that stopped before this step. The event is stored only once.
    const recorded = await ports.orders.record(key, {
      ...eventWith("BILL_ASSIGNED", {
        kind,
        day,
        number: refundNo ?? outTradeNo,
        ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
        ...(amountThere === undefined ? {} : { amountThere }),
      }),
      at: ports.clock.now(),
      actor: `operator:${input.operator}`,
      reason: input.note,
      evidence: [id, amountThere ?? ""].join(" ").trim(),
      alarm: false,
    });
    return recorded.isErr() ? err(recorded.error) : ok(exception);
  });
}

/** Returns the exception if an equal call has assigned it to the same order before. */
function assignedBefore(
  failure: CloseBillExceptionFailure | StorageFailure,
  { appId, bizNo: number, operator, note }: AssignBillExceptionInput,
): BillException | undefined {
  if (failure.name !== "bill-exception.not-open") return undefined;
  const { exception } = failure;
  const { remedy, order } = exception;
  const isSame = exception.operator === operator && exception.note === note;
  return isSame && remedy === "assign" && order?.appId === appId && order.bizNo === number
    ? exception
    : undefined;
}

function close(
  ports: ClosePorts,
  { id, operator, note }: z.output<z.ZodObject<ReturnType<typeof closingShape>>>,
  as: Pick<BillResolution, "remedy" | "order">,
  action: AuditAction,
  origin: Origin | undefined,
): ResultAsync<BillException, CloseBillExceptionFailure | StorageFailure> {
  return attempt(async () => {
    const at = ports.clock.now();
    const before = await ports.billExceptions.find(id);
    if (before.isErr()) return err(before.error);
    if (before.value === undefined) return failClose({ name: "bill-exception.not-found" });
    if (before.value.state === "OPEN" && !isRemedyOffered(before.value, as.remedy, at))
      return failClose({ name: "bill-exception.not-offered", exception: before.value });
    const by = origin && { ...origin, operator, reason: note };
    const { order } = as;
    const audit = auditEntryIfAny(ports, by, {
      action,
      subject: `bill-exception:${id}`,
      ...(order === undefined ? {} : { appId: order.appId, detail: JSON.stringify(order) }),
    });
    const resolution = await ports.billExceptions.resolve(id, { operator, note, at, ...as }, audit);
    if (resolution.isErr()) return err(resolution.error);
    if (resolution.value === undefined) return failClose({ name: "bill-exception.not-found" });
    const { moved, exception } = resolution.value;
    return moved ? ok(exception) : failClose({ name: "bill-exception.not-open", exception });
  });
}

function failClose(failure: CloseBillExceptionFailure) {
  return err<never, CloseBillExceptionFailure>(failure);
}
