import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { auditEntryOf, type OperatorCommand } from "../operators/operator-command.js";
import { eventWith } from "../orders/event-details.js";
import { keyOf, type OrderKey } from "../orders/order.js";
import { lastShipmentRound, shipmentsOf } from "../orders/shipment.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";

/**
 * Why the shipment of an order cannot be reported.
 *
 * - `not-paid`: the order is not PAID, or it is refunded in full.
 * - `switched-off`: the pay tool of the order does not report shipments.
 * - `other-source`: the order was not paid inside the wallet's app (JSAPI).
 * - `no-payer`: the customer's id at the wallet is not stored, or was erased.
 * - `reported`: the wallet has the report.
 */
export const NOT_REPORTABLE_REASONS = [
  "not-paid",
  "switched-off",
  "other-source",
  "no-payer",
  "reported",
] as const;

/** The shipment of an order cannot be reported. */
export interface ShipmentNotReportable {
  readonly name: "shipment.not-reportable";
  readonly because: (typeof NOT_REPORTABLE_REASONS)[number];
}

/** Why {@link requestShipment} did nothing. */
export type RequestShipmentFailure =
  FailureOf<"order.not-found" | "pay-tool.not-configured" | StorageFailureName> | ShipmentNotReportable;

/**
 * Makes the report of an order's shipment due now, with new attempts.
 *
 * For an order whose report failed, and for an order that was paid before its pay tool reported
 * shipments. The reconciler sends the report. Safe to repeat.
 *
 * @param by - who asks for it. The timeline and the audit log get an entry in the same transaction.
 * @returns nothing. Fails with `order.not-found`, or with `shipment.not-reportable` and the reason.
 * @example
 * ```ts
 * import { requestShipment } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "corrected the secret", from: "cli", traceId: "" };
 * const done = await requestShipment(ports, { appId: "app_1", bizNo: "biz-1" }, by);
 * ```
 */
export function requestShipment(
  ports: Pick<Ports, "orders" | "payTools" | "wallets" | "clock">,
  key: OrderKey,
  by: OperatorCommand,
): ResultAsync<void, RequestShipmentFailure> {
  return attempt(async () => {
    const order = await ports.orders.find(key);
    if (order.isErr()) return err(order.error);
    if (order.value === undefined) return fail("order.not-found");
    if (order.value.paymentStatus !== "PAID") return notReportable("not-paid");
    const account = await findOrderAccount(ports, order.value);
    if (account.isErr()) return err(account.error);
    const { shipments } = ports.wallets[order.value.payChannel];
    if (shipments?.isReported(account.value, "JSAPI") !== true) return notReportable("switched-off");
    if (!shipments.isReported(account.value, order.value.paySource)) return notReportable("other-source");
    if (shipmentsOf(ports, order.value, account.value) === undefined) return notReportable("no-payer");
    const timeline = await ports.orders.timeline(keyOf(order.value));
    if (timeline.isErr()) return err(timeline.error);
    if (lastShipmentRound(timeline.value)?.end === "reported") return notReportable("reported");
    const now = ports.clock.now();
    const entry = {
      ...eventWith("SHIPMENT_REQUESTED", {}),
      at: now,
      actor: `operator:${by.operator}`,
      reason: by.reason,
      alarm: false,
    };
    const { appId, bizNo } = key;
    const facts = { action: "order.report-shipment", subject: `order:${appId}/${bizNo}`, appId } as const;
    const recorded = await ports.orders.recordShipment(
      keyOf(order.value),
      entry,
      now,
      auditEntryOf(ports, by, facts),
    );
    if (recorded.isErr()) return err(recorded.error);
    // The order was refunded in the meantime.
    return recorded.value ? ok(undefined) : notReportable("not-paid");
  });
}

function notReportable(because: ShipmentNotReportable["because"]) {
  return err<never, ShipmentNotReportable>({ name: "shipment.not-reportable", because });
}
