import { Option } from "@commander-js/extra-typings";
import type { EventDelivery } from "@tillkit/core/ports";
import { type CommandResult, table, timeText } from "../answer.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { listDeliveries } from "../server/events.js";
import { fromSource } from "../server/open-server.js";
import { CSV_OPTION, examples, keyedCommand } from "../settings.js";

const TITLES = ["HANDLER", "APP ID", "BIZ NO", "EVENT", "TRIES", "STATE", "SINCE", "FAILURE"];

/** Creates `tillkit events list`, which lists the orders with undelivered events. */
export function listEventsCommand({ io, report }: Context) {
  return keyedCommand("list")
    .description(
      "List the orders with events that a handler has not received yet. EVENT identifies the next event by two numbers: of the entry on the order's timeline, and of the event within this entry. Pass it to `events replay --from`. FAILURE is why the last attempt failed. Exits with 1 if a delivery is parked.",
    )
    .option("--handler <name>", "list only the deliveries to this handler")
    .addOption(new Option("--parked", "list only parked deliveries, which an operator must replay or skip"))
    .option("--limit <number>", "the maximum number of deliveries, at most 1000", wholeNumberTo(1_000), 100)
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples("tillkit events list", "tillkit events list --handler mailer --parked --json"),
    )
    .action(({ handler, parked, limit, ...options }) => {
      const query = { handler, state: parked === true ? "parked" : "waiting", limit } as const;
      return report(
        options,
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, ({ eventDeliveries }) => eventDeliveries.list(query).mapErr(coreFailure)),
          server: (server) => listDeliveries(server, query),
        }).map(deliveriesAnswer),
      );
    });
}

function deliveriesAnswer(deliveries: readonly EventDelivery[]): CommandResult {
  return {
    data: { deliveries: deliveries.map(deliveryData) },
    text: table(TITLES, deliveries.map(rowOf)),
    finding: deliveries.some(({ parkedAt }) => parkedAt !== undefined),
  };
}

function deliveryData(delivery: EventDelivery) {
  const { handler, appId, bizNo, next, lastSeq, tries, dueAt, parkedAt, failure } = delivery;
  return { handler, appId, bizNo, next, lastSeq, tries, dueAt, parkedAt, failure };
}

function rowOf(delivery: EventDelivery): readonly string[] {
  const { handler, appId, bizNo, next, tries, dueAt, parkedAt, failure = "-" } = delivery;
  const state = parkedAt === undefined ? "WAITING" : "PARKED";
  const place = `${String(next.seq)}-${String(next.index)}`;
  return [handler, appId, bizNo, place, String(tries), state, timeText(parkedAt ?? dueAt), failure];
}
