import { Option } from "@commander-js/extra-typings";
import { type Refund, REFUND_STATUSES } from "@tillkit/core";
import type { RefundPosition } from "@tillkit/core/ports";
import { timeText } from "../answer.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import {
  channelOption,
  dayOf,
  filterOf,
  limitOption,
  MAX_OPTION,
  MIN_OPTION,
  readRows,
  type Rows,
  rowsText,
} from "../list-options.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { fromSource } from "../server/open-server.js";
import { listRefunds } from "../server/refunds.js";
import { CSV_OPTION, examples, keyedCommand } from "../settings.js";

const TITLES = ["REQUESTED", "APP ID", "BIZ NO", "REFUND NO", "AMOUNT", "STATUS", "SINCE", "BY", "REASON"];

/** Creates `tillkit refunds list`, which lists the refunds that match filters. */
export function listRefundsCommand({ io, report }: Context) {
  return keyedCommand("list")
    .description(
      "List the refunds of all apps that match every filter, the latest request first. Calls no wallet.",
    )
    .addOption(
      new Option("--status <status>", "list only refunds with this status")
        .choices(REFUND_STATUSES)
        .argParser(inAnyCase(REFUND_STATUSES)),
    )
    .option("--app <app-id>", "list only refunds of this app")
    .option("--operator <name>", "list only refunds that this operator requested")
    .option("--number <number>", "a refundNo, a bizNo, or the refund's number at the wallet")
    .addOption(channelOption("refunds"))
    .option("--from <day>", "list only refunds that were requested on this day in China or later", dayOf)
    .option("--until <day>", "list only refunds that were requested on this day in China or earlier", dayOf)
    .option(...MIN_OPTION)
    .option(...MAX_OPTION)
    .option(...limitOption("refunds"))
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples(
        "tillkit refunds list --status WAITING_FOR_FUNDS",
        "tillkit refunds list --app app_1 --operator kim --from 2026-01-01 --json",
      ),
    )
    .action(({ status, app, operator, number, channel, from, until, min, max, limit, ...options }) =>
      report(
        options,
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, ({ refunds }) =>
              readRows<Refund, RefundPosition>(limit, (page) =>
                refunds.search({
                  ...page,
                  ...filterOf({ app, channel, from, until, min, max }),
                  status,
                  operator,
                  number,
                }),
              ).mapErr(coreFailure),
            ),
          server: (server) =>
            listRefunds(server, limit, { status, app, operator, number, channel, from, until, min, max }),
        }).map(refundsAnswer),
      ),
    );
}

/** Builds the answer for refunds that were found. */
export function refundsAnswer({ rows, hasMore }: Rows<Refund>) {
  const lines = rows.map((refund) => [
    timeText(refund.gmtCreate),
    refund.appId,
    refund.bizNo,
    refund.refundNo,
    { cents: refund.amount },
    refund.status,
    timeText(refund.gmtModified),
    refund.operator,
    refund.reason,
  ]);
  return {
    data: { refunds: rows, hasMore },
    text: rowsText(TITLES, lines, { none: "No refund matches.", hasMore }),
  };
}
