import type { RecordFigures } from "@tillkit/core";
import { timeText } from "./answer.js";

/** What waits for a person. */
export interface Matter {
  /** The number of cases. */
  readonly count: number;
  readonly what: string;
  /** The command that shows it. */
  readonly command: string;
}

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

/** Returns what waits for a person, according to the figures of the database. */
export function mattersOf(
  { alarms, refunds, approvals, exceptions, missingDays, queues, credentials }: FiguresOfMatters,
  { unread, warnUntil }: PayToolMatters,
): readonly Matter[] {
  const stuck = refunds.filter(({ status }) => status === "WAITING_FOR_FUNDS" || status === "ABNORMAL");
  const ending = credentials.filter(({ expiresAt }) => expiresAt <= warnUntil);
  return [
    ...alarms.map(({ type, count }) => ({
      count,
      what: `orders with the alarm ${type}`,
      command: "tillkit alarms list",
    })),
    ...stuck.map(({ status, count, oldestAt }) => ({
      count,
      what: `refunds ${status}, the oldest since ${timeText(oldestAt)}`,
      command: "tillkit alarms list",
    })),
    { count: approvals, what: "refunds that need a second operator", command: "tillkit refunds approvals" },
    ...exceptions.map(({ kind, count, oldestAt }) => ({
      count,
      what: `differences of bills ${kind}, the oldest since ${timeText(oldestAt)}`,
      command: "tillkit bills exceptions",
    })),
    ...missingDays.map(({ payChannel, accountId, count }) => ({
      count,
      what: `days of ${payChannel} ${accountId} whose bill was not compared`,
      command: "tillkit bills reconcile",
    })),
    { count: queues.parkedEvents.due, what: "parked events", command: "tillkit events list --parked" },
    {
      count: unread,
      what: "pay tools whose credentials cannot be read",
      command: "tillkit pay-tools check",
    },
    ...ending.map(({ payChannel, name, expiresAt }) => ({
      count: 1,
      what: `credential ${name} of ${payChannel} ends ${timeText(expiresAt)}`,
      command: "tillkit pay-tools check",
    })),
  ].filter(({ count }) => count > 0);
}
