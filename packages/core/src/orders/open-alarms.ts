import type { TimelineEvent } from "./timeline.js";

/**
 * Returns the alarms that no operator has acknowledged yet, oldest first.
 *
 * The `evidence` of an acknowledgement is the `seq` of the last alarm that it covers. Later alarms
 * stay open.
 *
 * @returns the events of the open alarms.
 * @example
 * ```ts
 * import { openAlarms } from "@tillkit/core/ports";
 *
 * const alarms = await ports.orders.timeline({ appId: "app_1", bizNo: "biz-1" }).map(openAlarms);
 * ```
 */
export function openAlarms<
  T extends Pick<TimelineEvent, "seq" | "alarm" | "evidence"> & { readonly type: string },
>(timeline: readonly T[]): readonly T[] {
  const acknowledgements = timeline
    .filter(({ type }) => type === "ALARM_ACKNOWLEDGED")
    .map(({ evidence }) => Number(evidence));
  const last = Math.max(0, ...acknowledgements);
  return timeline.filter(({ alarm, seq }) => alarm && seq > last);
}
