import { Option } from "@commander-js/extra-typings";
import {
  type FoundOrder,
  moneyText,
  type OrderPosition,
  PAY_CHANNELS,
  PAYMENT_STATUSES,
} from "@tillkit/core";
import { table, timeText } from "../answer.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { dayOf, MAX_ROWS, moreText, rangeOf, readRows, type Rows } from "../list-options.js";
import { wholeNumber, wholeNumberTo } from "../numbers.js";
import { orderData } from "../order-answer.js";
import { withPorts } from "../ports.js";
import { examples, keyedCommand } from "../settings.js";

const TITLES = ["CREATED", "APP ID", "BIZ NO", "ID", "CHANNEL", "AMOUNT", "STATUS", "ALARM"];

/** Creates `tillkit orders list`, which lists the orders that match filters. */
export function listOrdersCommand({ io, report }: Context) {
  return keyedCommand("list")
    .description("List the orders of all apps that match every filter, newest first. Calls no wallet.")
    .option("--app <app-id>", "list only orders of this app")
    .addOption(
      new Option("--status <status>", "list only orders with this status")
        .choices(PAYMENT_STATUSES)
        .argParser(inAnyCase(PAYMENT_STATUSES)),
    )
    .addOption(
      new Option("--channel <channel>", "list only orders on this channel")
        .choices(PAY_CHANNELS)
        .argParser(inAnyCase(PAY_CHANNELS)),
    )
    .option("--from <day>", "list only orders that were created on this day in China or later", dayOf)
    .option("--until <day>", "list only orders that were created on this day in China or earlier", dayOf)
    .option("--min <cents>", "the lowest amount", wholeNumber)
    .option("--max <cents>", "the highest amount", wholeNumber)
    .option("--with-alarm", "list only orders with an open alarm")
    .option(
      "--limit <number>",
      `the maximum number of orders, at most ${MAX_ROWS}`,
      wholeNumberTo(MAX_ROWS),
      100,
    )
    .addHelpText(
      "after",
      examples(
        "tillkit orders list --status PENDING --channel WALLET_A",
        "tillkit orders list --app app_1 --from 2026-01-01 --until 2026-01-31 --min 10000 --json",
      ),
    )
    .action(({ app, status, channel, from, until, min, max, withAlarm, limit, ...options }) =>
      report(
        options,
        withPorts(io, options, ({ orderSearch }) =>
          readRows<FoundOrder, OrderPosition>(limit, (page) =>
            orderSearch.list({
              ...page,
              ...rangeOf({ from, until }),
              apps: app === undefined ? undefined : [app],
              paymentStatus: status,
              payChannel: channel,
              minAmount: min,
              maxAmount: max,
              withAlarm,
            }),
          )
            .mapErr(coreFailure)
            .map(ordersAnswer),
        ),
      ),
    );
}

/** Builds the answer for orders that were found. */
export function ordersAnswer(found: Rows<FoundOrder>) {
  const { rows, hasMore } = found;
  const lines = rows.map(({ order, hasAlarm }) => [
    ...[timeText(order.gmtCreate), order.appId, order.bizNo, order.id, order.payChannel],
    ...[moneyText(order.amount), order.paymentStatus, hasAlarm ? "yes" : "-"],
  ]);
  return {
    data: { orders: rows.map(({ order, hasAlarm }) => ({ ...orderData(order), hasAlarm })), hasMore },
    text: [rows.length === 0 ? "No order matches." : table(TITLES, lines), ...moreText(found)].join("\n"),
  };
}
