import { Option } from "@commander-js/extra-typings";
import {
  explainOrder,
  findOrders,
  findOrdersInput,
  moneyText,
  type Order,
  type Page,
  PAYMENT_STATUSES,
} from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { orderData } from "../order-answer.js";
import { parseWithPolicy, withPorts } from "../ports.js";
import { examples, keyedCommand } from "../settings.js";
import { visibleLine } from "@tillkit/core/text";
import { lookUpNumber } from "./look-up-number.js";

interface FindOptions {
  readonly number?: string | undefined;
  readonly id?: string | undefined;
  readonly app?: string | undefined;
  readonly bizNo?: string | undefined;
  readonly customer?: string | undefined;
}

/** Creates `tillkit orders find`, which searches orders in the database. */
export function findCommand({ io, report }: Context) {
  return keyedCommand("find")
    .description("Find orders by a number, by bizNo, or by customer. Calls no wallet.")
    .option(
      "--number <number>",
      "any number of an order or a refund, also one of the wallet, in all apps; at most 100 orders",
    )
    .option("--id <id>", "the order's id; the wallets call it out_trade_no")
    .option("--app <app-id>", "the order's app; required with --biz-no and --customer")
    .option("--biz-no <biz-no>", "the bizNo that the app gave the order")
    .option("--customer <identity>", "list the orders of this customerIdentity, newest first")
    .addOption(
      new Option("--status <status>", "list only orders with this status; only with --customer")
        .choices(PAYMENT_STATUSES)
        .argParser(inAnyCase(PAYMENT_STATUSES)),
    )
    .option("--page <number>", "page number, from 1; only with --customer", wholeNumber, 1)
    .addHelpText(
      "after",
      examples(
        "tillkit orders find --number 4200002026012612345678901234",
        "tillkit orders find --id 01J8ZQ4T7M5V",
        "tillkit orders find --app app_1 --biz-no order-1001",
        "tillkit orders find --app app_1 --customer user-1 --status PAID",
      ),
    )
    .action(({ number, id, app, bizNo, customer, status, page, ...options }) =>
      report(
        options,
        criteriaOf({ number, id, app, bizNo, customer }).asyncAndThen((criteria) =>
          criteria.by === "number"
            ? withPorts(io, options, (ports) => lookUpNumber(ports, criteria.number))
            : parseWithPolicy(io, options, findOrdersInput, {
                ...criteria,
                paymentStatus: status,
                pageNum: page,
              }).andThen((input) =>
                withPorts(io, options, (ports) =>
                  findOrders(ports, input).mapErr(coreFailure).map(pageAnswer),
                ),
              ),
        ),
      ),
    );
}

function pageAnswer({ items, totalCount }: Page<Order>): CommandResult {
  const rows = items.map((order) => [
    ...[order.appId, order.bizNo, order.id, moneyText(order.amount), order.paymentStatus],
    timeText(order.gmtCreate),
  ]);
  return {
    data: { orders: items.map(orderData), totalCount },
    text: [
      table(["APP ID", "BIZ NO", "ID", "AMOUNT", "STATUS", "CREATED"], rows),
      `${items.length} of ${totalCount} orders`,
    ].join("\n"),
  };
}

/** Creates `tillkit orders explain`, which prints the history of an order in sentences. */
export function explainCommand({ io, report }: Context) {
  return keyedCommand("explain")
    .description(
      "Print an order's history: what happened, when, who did it and why, and what happens next. Calls no wallet. Exits with 1 if the order or its timeline was changed in the database.",
    )
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .addHelpText("after", examples("tillkit orders explain --app app_1 order-1001"))
    .action((bizNo, { app, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          explainOrder(ports, app, bizNo)
            .mapErr(coreFailure)
            .map(({ order, refunds, timeline, chainHolds, differences, sentences }) => ({
              data: { order: orderData(order), refunds, timeline, chainHolds, differences, sentences },
              text: sentences.map(visibleLine).join("\n"),
              finding: !chainHolds || differences.length > 0,
            })),
        ),
      ),
    );
}

/** The way in which the options find orders, with its unchecked values. */
type Criteria =
  | { readonly by: "number"; readonly number: string }
  | { readonly by: "id" | "bizNo" | "customer"; readonly [name: string]: unknown };

function criteriaOf({ number, id, app, bizNo, customer }: FindOptions): Result<Criteria, CliFailure> {
  const ways = [number, id, bizNo, customer].filter((way) => way !== undefined).length;
  if (ways !== 1)
    return err(
      usage(
        "Set exactly one of --number, --id, --biz-no and --customer. --biz-no and --customer also need --app.",
      ),
    );
  if (number !== undefined) return ok({ by: "number", number });
  if (id !== undefined) return ok({ by: "id", id });
  if (app === undefined) return err(usage("Set --app: --biz-no and --customer need the app of the order."));
  if (bizNo !== undefined) return ok({ by: "bizNo", appId: app, bizNo });
  return ok({ by: "customer", appId: app, customerIdentity: customer });
}
