import {
  type Queues,
  readCredentialExpiries,
  readRecordFigures,
  readToday,
  type RecordFigures,
  type Today,
} from "@tillkit/core";
import { type CommandResult, table, timeText, type Table } from "../answer.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { withWallets } from "../ports.js";
import { examples, walletCommand } from "../settings.js";

/** Creates `tillkit status`, which shows on one screen what happens today and what waits. */
export function statusCommand({ io, report }: Context) {
  return walletCommand("status")
    .description(
      "Show on one screen the money of today, and what waits for a person or for a background task. Reads the database only. Exits with 1 if something waits for a person.",
    )
    .addHelpText("after", examples("tillkit status", "tillkit status --json"))
    .action((options) =>
      report(
        options,
        withWallets(io, options, (ports) =>
          readCredentialExpiries(ports)
            .andThen(({ expiries, unread }) =>
              readRecordFigures(ports, expiries).map((figures) => ({ figures, unread })),
            )
            .andThen((read) => readToday(ports, undefined).map((today) => ({ ...read, today })))
            .mapErr(coreFailure)
            .map(({ figures, unread, today }) => {
              const now = ports.clock.now();
              const matters = mattersOf(figures, unread, now + ports.policy.credentialWarning);
              return {
                data: { today: todayData(today), ...figures, unreadPayTools: unread },
                text: statusText(today, figures, matters, now),
                finding: matters.length > 0,
              };
            }),
        ),
      ),
    );
}

/** Leaves out the oldest pending order, which has personal data. */
function todayData({ date, sales, pending, alarms, notMade }: Today) {
  return { date, sales, pending: { count: pending.count }, alarms, notMade };
}

/** What waits for a person: how much, what, and the command that shows it. */
type Matter = readonly [count: string, what: string, command: string];

function mattersOf(figures: RecordFigures, unread: number, warnUntil: number): readonly Matter[] {
  const { alarms, refunds, approvals, exceptions, missingDays, queues, credentials } = figures;
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

function statusText(
  today: Today,
  { queues }: RecordFigures,
  matters: readonly Matter[],
  now: number,
): CommandResult["text"] {
  return [
    `Today, ${today.date}`,
    salesTable(today),
    `${today.pending.count} orders wait for their payment.`,
    "",
    "Background tasks",
    table(["WORK", "DUE", "OLDEST"], queueRows(queues, now)),
    "",
    "For a person",
    table(["COUNT", "WHAT", "SEE"], matters, "Nothing waits."),
  ];
}

function salesTable({ sales }: Today): Table {
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
