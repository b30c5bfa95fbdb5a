import { acknowledgeAlarm } from "@tillkit/core/operators";
import type { OpenAlarm } from "@tillkit/core/ports";
import { table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure, failure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource, fromSource } from "../server/open-server.js";
import { changeOrder, listAlarms } from "../server/orders.js";
import { AUDIT_OPTIONS, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";
import { orderCommand } from "./order-command.js";

const TITLES = ["APP ID", "BIZ NO", "ALARM", "SINCE", "REFUND NO", "EVENT"];

/** Creates `tillkit alarms`, which lists what a person must look at and records that it is done. */
export function alarmsCommand({ io, report }: Context) {
  const list = keyedCommand("list")
    .description(
      "List the orders with an open alarm, the newest alarm first. `tillkit orders explain` shows what happened to an order. Exits with 1 if an alarm is open.",
    )
    .option("--app <app-id>", "list only orders of this app")
    .option("--limit <number>", "the maximum number of orders, at most 1000", wholeNumberTo(1_000), 100)
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
    .addHelpText("after", examples("tillkit alarms list", "tillkit alarms list --app app_1 --json"))
    .action(({ app, limit, ...options }) =>
      report(
        options,
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, ({ orderSearch }) =>
              orderSearch.alarms(app === undefined ? undefined : [app], limit).mapErr(coreFailure),
            ),
          server: (server) => listAlarms(server, app, limit),
        }).map(alarmsAnswer),
      ),
    );

  const acknowledge = orderCommand("acknowledge")
    .description(
      "Record that you have dealt with the alarms of an order. Later alarms of the order stay open.",
    )
    .option(
      "--seen <number>",
      "the EVENT of `tillkit alarms list`: alarms after it stay open",
      wholeNumberTo(Number.MAX_SAFE_INTEGER),
    )
    .option(...AUDIT_OPTIONS[0])
    .option(...SERVER_OPTION)
    .requiredOption("--reason <text>", "what you found or did, for the order's timeline")
    .addHelpText(
      "after",
      examples('tillkit alarms acknowledge --app app_1 order-1001 --reason "refunded at the wallet"'),
    )
    .action((bizNo, { app, seen, operator, reason, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator },
          {
            database: () =>
              commandOf(io, { operator, reason }).asyncAndThen((by) =>
                withPorts(io, options, (ports) =>
                  acknowledgeAlarm(ports, { appId: app, bizNo }, by, seen).mapErr((problem) =>
                    problem.name === "alarm.not-open"
                      ? failure("refused", problem.name, `The order ${bizNo} has no open alarm.`)
                      : coreFailure(problem),
                  ),
                ),
              ),
            server: (server) =>
              changeOrder(server, { app, bizNo }, "acknowledge", {
                reason,
                ...(seen === undefined ? {} : { seen }),
              }).map(() => undefined),
          },
        ).map(() => ({
          data: { acknowledged: { appId: app, bizNo } },
          text: `The alarms of the order ${bizNo} are acknowledged.`,
        })),
      ),
    );

  return groupCommand("alarms")
    .description("List the alarms of orders, and record that you have dealt with them.")
    .addCommand(list)
    .addCommand(acknowledge);
}

/** Builds the answer for orders with an open alarm. */
function alarmsAnswer(alarms: readonly OpenAlarm[]) {
  return {
    data: { alarms },
    text: table(
      TITLES,
      alarms.map(({ appId, bizNo, type, at, refundNo = "-", seq }) => [
        appId,
        bizNo,
        type,
        timeText(at),
        refundNo,
        String(seq),
      ]),
      "No order has an open alarm.",
    ),
    finding: alarms.length > 0,
  };
}
