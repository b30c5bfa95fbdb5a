import type { OrderKey } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  type OperatorCommand,
  replayEvents,
  type ReplayFailure,
  replayParkedEvents,
  skipParkedEvent,
} from "@tillkit/core/operators";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { auditedCommand, commandOf, orderFacts } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, failure, usage } from "../failure.js";
import { type CommandPorts, withPorts } from "../ports.js";
import { changingCommand, examples } from "../settings.js";

interface ReplayChoice {
  readonly handler: string;
  readonly app?: string | undefined;
  readonly bizNo?: string | undefined;
  readonly from?: string | undefined;
  readonly parked?: true | undefined;
}

/** Creates `tillkit events replay`, which delivers events of a handler again. */
export function replayEventsCommand({ io, report }: Context) {
  return changingCommand("replay")
    .description(
      "Deliver events to a handler again: those of one order, or all parked ones. For one order, the delivery continues with the parked event. If no event is parked, it begins with the order's first event. --from names another event. The handler receives the same event ids as before. A running host delivers the events within seconds.",
    )
    .requiredOption("--handler <name>", "the handler's name")
    .option("--app <app-id>", "the order's app; required without --parked")
    .option("--biz-no <biz-no>", "the order's bizNo; required without --parked")
    .option(
      "--from <event-id>",
      "the first event to deliver: its id, or the EVENT of `tillkit events list`; only with --biz-no",
    )
    .option("--parked", "replay every parked delivery of the handler")
    .addHelpText(
      "after",
      examples(
        "tillkit events replay --handler mailer --parked",
        "tillkit events replay --handler mailer --app app_1 --biz-no order-1001",
        "tillkit events replay --handler mailer --app app_1 --biz-no order-1001 --from 01J8ZQ4T7M5V-2-0",
      ),
    )
    .action(({ handler, app, bizNo, from, parked, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) => replay(ports, { handler, app, bizNo, from, parked }, by)),
        ),
      ),
    );
}

/** Creates `tillkit events skip`, which passes over a parked event. */
export function skipEventCommand({ io, report }: Context) {
  return changingCommand("skip")
    .description(
      "Pass over the parked event of an order: the handler does not receive it, and continues with the order's later events. To deliver it after all, use replay with --from.",
    )
    .requiredOption("--handler <name>", "the handler's name")
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--biz-no <biz-no>", "the order's bizNo")
    .addHelpText("after", examples("tillkit events skip --handler mailer --app app_1 --biz-no order-1001"))
    .action(({ handler, app, bizNo, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            auditedCommand(ports, by, orderFacts("event.skip", { app, bizNo }, { handler }), () =>
              skipParkedEvent(ports, { handler, appId: app, bizNo })
                .mapErr(replayFailure)
                .map(({ event, next }) => ({
                  data: { skipped: event?.id ?? null, next },
                  text: `The handler ${handler} does not receive the event ${event?.id ?? "-"} (${event?.type ?? "-"}) of the order ${bizNo}.`,
                })),
            ),
          ),
        ),
      ),
    );
}

function replay(
  ports: CommandPorts,
  { handler, app, bizNo, from, parked }: ReplayChoice,
  by: OperatorCommand,
): ResultAsync<CommandResult, CliFailure> {
  if (parked === true) {
    if (app !== undefined || bizNo !== undefined || from !== undefined)
      return errAsync(usage("--parked replays every order: remove --app, --biz-no and --from, or --parked."));
    return auditedCommand(ports, by, { action: "event.replay", subject: `event-handler:${handler}` }, () =>
      replayParkedEvents(ports, handler)
        .mapErr(coreFailure)
        .map((orders) => ({ data: { orders }, text: `${String(orders)} parked deliveries are due again.` })),
    );
  }
  if (app === undefined || bizNo === undefined)
    return errAsync(
      usage("Set --app and --biz-no to replay an order, or --parked to replay all parked ones."),
    );
  return auditedCommand(ports, by, orderFacts("event.replay", { app, bizNo }, { handler }), () =>
    eventId(ports, { appId: app, bizNo }, from)
      .andThen((id) => replayEvents(ports, { handler, appId: app, bizNo }, id))
      .mapErr(replayFailure)
      .map((next) => ({
        data: { next },
        text: `The events of the order ${bizNo} are due for the handler ${handler}, from ${String(next.seq)}-${String(next.index)}.`,
      })),
  );
}

/** Returns the id of an event of an order, which may be given as its place alone. */
function eventId(
  { orders }: Pick<CommandPorts, "orders">,
  key: OrderKey,
  from: string | undefined,
): ResultAsync<string | undefined, StorageFailure> {
  if (from === undefined || !/^\d+-\d+$/.test(from)) return okAsync(from);
  return orders.find(key).map((order) => (order === undefined ? from : `${order.id}-${from}`));
}

function replayFailure(problem: ReplayFailure): CliFailure {
  switch (problem.name) {
    case "event.not-found":
      return failure(
        "refused",
        problem.name,
        "The order has no event with this id. The id is the order's id, the number of the timeline entry and the number of the event in it: `tillkit orders explain` shows the timeline.",
      );
    case "delivery.unknown":
      return failure(
        "refused",
        problem.name,
        "The order does not exist, or no handler with this name is registered. `tillkit events handlers` lists the handlers.",
      );
    case "delivery.not-parked":
      return failure(
        "refused",
        problem.name,
        "The delivery is not parked, so nothing was skipped. `tillkit events list --parked` lists the parked deliveries.",
      );
    case "storage.unavailable":
    case "storage.misconfigured":
      return coreFailure(problem);
  }
}
