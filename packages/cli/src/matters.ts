import type { RecordFigures } from "@tillkit/core";
import { timeText } from "./answer.js";

/** What waits for a person: how much, what, and the command that shows it. */
export type Matter = readonly [count: string, what: string, command: string];

/** What {@link mattersOf} reads. */
export type FiguresOfMatters = Omit<RecordFigures, "queues"> & {
  readonly queues: Pick<RecordFigures["queues"], "parkedEvents">;
};

/** The pay tools of a record that need a person. */
export interface PayToolMatters {
  /** The number of pay tools whose credentials cannot be read. */
  readonly unread: number;
  /** Credentials that end before this time, epoch milliseconds, are listed. */
  readonly warnUntil: number;
}

/** Returns what waits for a person, by the stored record. */
export function mattersOf(
  { alarms, refunds, approvals, exceptions, missingDays, queues, credentials }: FiguresOfMatters,
  { unread, warnUntil }: PayToolMatters,
): readonly Matter[] {
  const stuck = refunds.filter(({ status }) => status === "WAITING_FOR_FUNDS" || status === "ABNORMAL");
  const ending = credentials.filter(({ expiresAt }) => expiresAt <= warnUntil);
  return [
    ...alarms.map(({ type, count }): Matter => [
      String(count),
      `orders with the alarm ${type}`,
      "tillkit alarms list",
    ]),
    ...stuck.map(({ status, count, oldestAt }): Matter => [
      String(count),
      `refunds ${status}, the oldest since ${timeText(oldestAt)}`,
      "tillkit alarms list",
    ]),
    ...(approvals === 0
      ? []
      : [[String(approvals), "refunds that need a second operator", "tillkit refunds approvals"] as const]),
    ...exceptions.map(({ kind, count, oldestAt }): Matter => [
      String(count),
      `differences of bills ${kind}, the oldest since ${timeText(oldestAt)}`,
      "tillkit bills exceptions",
    ]),
    ...missingDays.map(({ payChannel, accountId, count }): Matter => [
      String(count),
      `days of ${payChannel} ${accountId} whose bill was not compared`,
      "tillkit bills reconcile",
    ]),
    ...(queues.parkedEvents.due === 0
      ? []
      : [[String(queues.parkedEvents.due), "parked events", "tillkit events list --parked"] as const]),
    ...(unread === 0
      ? []
      : [[String(unread), "pay tools whose credentials cannot be read", "tillkit pay-tools check"] as const]),
    ...ending.map(({ payChannel, name, expiresAt }): Matter => [
      "1",
      `credential ${name} of ${payChannel} ends ${timeText(expiresAt)}`,
      "tillkit pay-tools check",
    ]),
  ];
}
