import type { RecordFigures } from "@tillkit/core";
import type { Queues, Today } from "@tillkit/core/operators";
import { type CommandResult, table, type Table } from "./answer.js";
import { type Matter, mattersOf } from "./matters.js";

/** The money of today, and what waits. */
export interface Status {
  /** When it was read, epoch milliseconds. */
  readonly now: number;
  readonly today: Pick<Today, "date" | "sales" | "alarms" | "notMade"> & {
    /** The number of orders that wait for their payment. */
    readonly pending: number;
  };
  readonly figures: RecordFigures;
  /** The number of pay tools whose credentials cannot be read. */
  readonly unread: number;
  /** Credentials that end before this time, epoch milliseconds, need a person. */
  readonly warnUntil: number;
}

/** Builds the answer of `tillkit status`. What waits for a person is a finding. */
export function statusAnswer(status: Status): CommandResult {
  const { today, figures, unread, warnUntil } = status;
  const matters = mattersOf(figures, { unread, warnUntil });
  const { date, sales, pending, alarms, notMade } = today;
  return {
    data: {
      today: { date, sales, pending: { count: pending }, alarms, notMade },
      ...figures,
      unreadPayTools: unread,
    },
    text: statusText(status, matters),
    finding: matters.length > 0,
  };
}

function statusText(
  { today, figures: { queues }, now }: Status,
  matters: readonly Matter[],
): CommandResult["text"] {
  return [
    `Today, ${today.date}`,
    salesTable(today),
    `Orders that wait for their payment: ${today.pending}.`,
    "",
    "Background tasks",
    table(["WORK", "DUE", "OLDEST"], queueRows(queues, now)),
    "",
    "What a person must look at",
    table(
      ["COUNT", "WHAT", "SEE"],
      matters.map(({ count, what, command }) => [String(count), what, command]),
      "Nothing waits.",
    ),
  ];
}

function salesTable({ sales }: Status["today"]): Table {
  return table(
    ["APP ID", "CHANNEL", "PAYMENTS", "TAKEN", "REFUNDS", "REFUNDED"],
    sales.map(({ appId, payChannel, payments, taken, refunds, refunded }) => [
      appId,
      payChannel,
      String(payments),
      { cents: taken },
      String(refunds),
      { cents: refunded },
    ]),
    "No payments and no refunds.",
  );
}

function queueRows(
  { orders, refunds, events }: Omit<Queues, "billExceptions">,
  now: number,
): readonly (readonly string[])[] {
  return Object.entries({ orders, refunds, events }).map(([name, { due, oldestDueAt }]) => [
    name,
    String(due),
    oldestDueAt === undefined ? "-" : `${Math.round(Math.max(0, now - oldestDueAt) / 1_000)} s ago`,
  ]);
}
