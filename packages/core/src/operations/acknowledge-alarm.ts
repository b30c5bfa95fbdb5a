import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { auditEntryOf, type OperatorCommand } from "../operators/operator-command.js";
import { openAlarms } from "../orders/open-alarms.js";
import type { OrderKey } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";

/** Why no alarm was acknowledged. */
export type AcknowledgeAlarmFailure =
  FailureOf<"order.not-found" | StorageFailureName> | { readonly name: "alarm.not-open" };

/**
 * Records that an operator has dealt with the alarms of an order.
 *
 * The timeline keeps the alarms. Lists of orders with an alarm omit the order until another alarm
 * is raised. A repeated call changes nothing, and fails with `alarm.not-open`.
 *
 * @param seen - the `seq` of the last event that the operator saw. Later alarms stay open. Defaults
 *   to the end of the timeline.
 * @returns nothing. Fails with `order.not-found`, or with `alarm.not-open` if no event up to `seen`
 *   is an open alarm.
 * @example
 * ```ts
 * import { acknowledgeAlarm } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "settled with the customer", from: "cli", traceId: "" };
 * const done = await acknowledgeAlarm(ports, { appId: "app_1", bizNo: "biz-1" }, by);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-lists.md |
 *   Lists of orders have a bounded cost}
 */
export function acknowledgeAlarm(
  ports: Pick<Ports, "orders" | "clock">,
  key: OrderKey,
  by: OperatorCommand,
  seen = Number.MAX_SAFE_INTEGER,
): ResultAsync<void, AcknowledgeAlarmFailure> {
  return attempt(async () => {
    const order = await ports.orders.find(key);
    if (order.isErr()) return order;
    if (order.value === undefined) return fail("order.not-found");
    const timeline = await ports.orders.timeline(key);
    if (timeline.isErr()) return timeline;
    const last = openAlarms(timeline.value).findLast(({ seq }) => seq <= seen);
    if (last === undefined) return err<never, AcknowledgeAlarmFailure>({ name: "alarm.not-open" });
    const { appId, bizNo } = key;
    const facts = { action: "order.acknowledge", subject: `order:${appId}/${bizNo}`, appId } as const;
    const entry = {
      type: "ALARM_ACKNOWLEDGED",
      at: ports.clock.now(),
      actor: `operator:${by.operator}`,
      reason: by.reason,
      // The `seq` of the last alarm that this call read. An alarm that is stored later stays open.
      evidence: String(last.seq),
      alarm: false,
    } as const;
    const recorded = await ports.orders.record(key, entry, auditEntryOf(ports, by, facts));
    if (recorded.isErr()) return recorded;
    // A concurrent call has acknowledged the same alarm.
    return recorded.value ? ok(undefined) : err<never, AcknowledgeAlarmFailure>({ name: "alarm.not-open" });
  });
}
