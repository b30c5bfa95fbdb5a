import { Option } from "@commander-js/extra-typings";
import { explainOrder, type OrderKey, parseInput, PAYMENT_STATUSES, type Ports } from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import { findOrders, findOrdersInput } from "@tillkit/core/operators";
import type { BillException, Page } from "@tillkit/core/ports";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { orderData, type ShownOrder } from "../order-answer.js";
import { parseWithPolicy, withPorts } from "../ports.js";
import { CSV_OPTION, examples, keyedCommand } from "../settings.js";
import { visibleLine } from "@tillkit/core/text";
import { SERVER_OPTION } from "../server/address.js";
import { databaseOnly, fromSource, type Server } from "../server/open-server.js";
import { findByBizNo, readExplanation, searchOrders } from "../server/orders.js";
import { lookUpAtServer, lookUpNumber, numberAnswer, requireNumber } from "./look-up-number.js";

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
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
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
            ? requireNumber(criteria.number).asyncAndThen((text) =>
                fromSource(io, options, {
                  database: () => withPorts(io, options, (ports) => lookUpNumber(ports, text)),
                  server: (server) => lookUpAtServer(server, text),
                }).map(numberAnswer),
              )
            : fromSource(io, options, {
                database: () =>
                  parseWithPolicy(io, options, findOrdersInput, {
                    ...criteria,
                    paymentStatus: status,
                    pageNum: page,
                  }).andThen((input) =>
                    withPorts(io, options, (ports) => findOrders(ports, input).mapErr(coreFailure)).map(
                      ({ items, totalCount }) => ({ items: items.map(orderData), totalCount }),
                    ),
                  ),
                server: (server) => findAtServer(server, { id, app, bizNo }),
              }).map(pageAnswer),
        ),
      ),
    );
}

function findAtServer(
  server: Server,
  { id, app, bizNo }: Pick<FindOptions, "id" | "app" | "bizNo">,
): ResultAsync<Page<ShownOrder>, CliFailure> {
  const found =
    id !== undefined
      ? searchOrders(server, id).map(({ rows }): readonly ShownOrder[] =>
          rows.filter((one) => one.id === id).map(({ hasAlarm: _alarm, ...order }) => order),
        )
      : app !== undefined && bizNo !== undefined
        ? findByBizNo(server, { app, bizNo })
        : errAsync(databaseOnly("--customer"));
  return found.map((items) => ({ items, totalCount: items.length }));
}

function pageAnswer({ items, totalCount }: Page<ShownOrder>): CommandResult {
  const rows = items.map((order) => [
    order.appId,
    order.bizNo,
    order.id,
    { cents: order.amount },
    order.paymentStatus,
    timeText(order.gmtCreate),
  ]);
  return {
    data: { orders: items, totalCount },
    text: [
      table(["APP ID", "BIZ NO", "ID", "AMOUNT", "STATUS", "CREATED"], rows),
      `${items.length} of ${totalCount} orders`,
    ],
  };
}

/** Creates `tillkit orders explain`, which prints the history of an order in sentences. */
export function explainCommand({ io, report }: Context) {
  return keyedCommand("explain")
    .description(
      "Print an order's history: what happened, when, who did it and why, what happens next, and its open differences to bills. Calls no wallet. Exits with 1 if the order or its timeline was changed in the database.",
    )
    .argument("[biz-no]", "the order's bizNo; with --app")
    .option("--app <app-id>", "the order's app")
    .option("--id <id>", "the order's id instead; the wallets call it out_trade_no")
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples("tillkit orders explain --app app_1 order-1001", "tillkit orders explain --id 01J8ZQ4T7M5V"),
    )
    .action((bizNo, { app, id, ...options }) =>
      report(
        options,
        orderNamed({ bizNo, app, id }).asyncAndThen((named) =>
          fromSource(io, options, {
            database: () =>
              withPorts(io, options, (ports) =>
                keyNamed(ports, named).andThen((key) => explainInDatabase(ports, key)),
              ),
            server: (server) => keyAtServer(server, named).andThen((key) => explainAtServer(server, key)),
          }).map(explanationAnswer),
        ),
      ),
    );
}

type NamedOrder = OrderKey | { readonly id: string };

function orderNamed({
  bizNo,
  app: appId,
  id,
}: {
  readonly bizNo?: string | undefined;
  readonly app?: string | undefined;
  readonly id?: string | undefined;
}): Result<NamedOrder, CliFailure> {
  if (id !== undefined && bizNo === undefined && appId === undefined) return ok({ id });
  if (id === undefined && bizNo !== undefined && appId !== undefined) return ok({ appId, bizNo });
  return err(usage("Name the order: its bizNo and --app, or its --id alone."));
}

function keyNamed(
  ports: Pick<Ports, "orders" | "policy">,
  named: NamedOrder,
): ResultAsync<OrderKey, CliFailure> {
  if ("appId" in named) return okAsync(named);
  return parseInput(findOrdersInput(ports.policy), { by: "id", id: named.id })
    .asyncAndThen((input) => findOrders(ports, input))
    .andThen(({ items: [order] }) => (order === undefined ? fail("order.not-found") : ok(order)))
    .mapErr(coreFailure);
}

/** The maximum number of open exceptions that an explanation names. */
const MOST_EXCEPTIONS = 20;

/** An explanation, from the database or from a server. */
interface Explanation {
  /** The members of the JSON answer, except `exceptions` and `sentences`. */
  readonly data: object;
  readonly id: string;
  readonly sentences: readonly string[];
  readonly exceptions: readonly Pick<BillException, "id" | "kind" | "day">[];
  /** Whether the order or its timeline was changed in the database. */
  readonly isDamaged: boolean;
}

function explainInDatabase(
  ports: Parameters<typeof explainOrder>[0] & Pick<Ports, "billExceptions">,
  { appId, bizNo }: OrderKey,
): ResultAsync<Explanation, CliFailure> {
  return explainOrder(ports, appId, bizNo)
    .andThen((explained) =>
      ports.billExceptions
        .list({ state: "OPEN", ofOrder: explained.order, limit: MOST_EXCEPTIONS })
        .map(({ items }) => ({ ...explained, exceptions: items })),
    )
    .mapErr(coreFailure)
    .map(({ parts: _parts, order, sentences, exceptions, ...explained }) => ({
      data: { ...explained, order: orderData(order) },
      id: order.id,
      sentences,
      exceptions,
      isDamaged: !explained.chainHolds || explained.differences.length > 0,
    }));
}

function explainAtServer(server: Server, key: OrderKey): ResultAsync<Explanation, CliFailure> {
  return readExplanation(server, key).map(({ id, sentences, chainHolds, agrees, exceptions }) => ({
    data: { chainHolds, order: { ...key, id } },
    id,
    sentences,
    exceptions,
    isDamaged: !chainHolds || !agrees,
  }));
}

/** Returns the key of the order. An id is searched like any other number. */
function keyAtServer(server: Server, named: NamedOrder): ResultAsync<OrderKey, CliFailure> {
  if ("appId" in named) return okAsync(named);
  return searchOrders(server, named.id).andThen(({ rows }) => {
    const order = rows.find(({ id }) => id === named.id);
    return order === undefined
      ? err(coreFailure({ name: "order.not-found" }))
      : ok({ appId: order.appId, bizNo: order.bizNo });
  });
}

function explanationAnswer({ data, id, sentences, exceptions, isDamaged }: Explanation): CommandResult {
  const differences = exceptions.map(
    (one) =>
      `Open difference to the bill of ${one.day}: ${one.kind} (${one.id}). \`tillkit bills exceptions --order ${id}\` shows what can be done.`,
  );
  return {
    data: { ...data, exceptions, sentences },
    text: [...sentences, ...differences].map(visibleLine).join("\n"),
    finding: isDamaged,
  };
}

/** How to find the orders, and the values of the options before they are validated. */
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
