import { Option } from "@commander-js/extra-typings";
import { PAYMENT_STATUSES } from "@tillkit/core";
import type { FoundOrder, OrderPosition } from "@tillkit/core/ports";
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
import { type ListedOrder, orderData } from "../order-answer.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { fromSource } from "../server/open-server.js";
import { listOrders } from "../server/orders.js";
import { CSV_OPTION, examples, keyedCommand } from "../settings.js";

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
    .addOption(channelOption("orders"))
    .option("--from <day>", "list only orders that were created on this day in China or later", dayOf)
    .option("--until <day>", "list only orders that were created on this day in China or earlier", dayOf)
    .option(...MIN_OPTION)
    .option(...MAX_OPTION)
    .option("--with-alarm", "list only orders with an open alarm")
    .option(...limitOption("orders"))
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
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
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, ({ orderSearch }) =>
              readRows<FoundOrder, OrderPosition>(limit, (page) =>
                orderSearch.list({
                  ...page,
                  ...filterOf({ app, channel, from, until, min, max }),
                  paymentStatus: status,
                  withAlarm,
                }),
              )
                .mapErr(coreFailure)
                .map(({ rows, hasMore }) => ({ rows: rows.map(listedOrder), hasMore })),
            ),
          server: (server) =>
            listOrders(server, limit, { app, status, channel, from, until, min, max, withAlarm }),
        }).map(ordersAnswer),
      ),
    );
}

/** Returns an order of a list as commands print it. */
export function listedOrder({ order, hasAlarm }: FoundOrder): ListedOrder {
  return { ...orderData(order), hasAlarm };
}

/** Builds the answer for orders that were found. */
export function ordersAnswer({ rows, hasMore }: Rows<ListedOrder>) {
  const lines = rows.map((order) => [
    timeText(order.gmtCreate),
    order.appId,
    order.bizNo,
    order.id,
    order.payChannel,
    { cents: order.amount },
    order.paymentStatus,
    order.hasAlarm ? "yes" : "-",
  ]);
  return {
    data: { orders: rows, hasMore },
    text: rowsText(TITLES, lines, { none: "No order matches.", hasMore }),
  };
}
