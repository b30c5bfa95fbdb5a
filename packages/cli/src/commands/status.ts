import {
  type Queues,
  readCredentialExpiries,
  readRecordFigures,
  readToday,
  type RecordFigures,
  type Today,
} from "@tillkit/core";
import { type CommandResult, table, type Table } from "../answer.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { type Matter, mattersOf } from "../matters.js";
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
              const warnUntil = now + ports.policy.credentialWarning;
              const matters = mattersOf(figures, { unread, warnUntil });
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
    table(
      ["COUNT", "WHAT", "SEE"],
      matters.map(({ count, what, command }) => [String(count), what, command]),
      "Nothing waits.",
    ),
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
