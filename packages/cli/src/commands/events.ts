import type { Context } from "../context.js";
import { groupCommand } from "../settings.js";
import { handlersCommand, removeHandlerCommand } from "./event-handlers.js";
import { listEventsCommand } from "./list-events.js";
import { replayEventsCommand, skipEventCommand } from "./replay-events.js";
import { tailEventsCommand } from "./tail-events.js";

/** Creates `tillkit events`, which manages the delivery of events to the handlers of a host. */
export function eventsCommand(context: Context) {
  return groupCommand("events")
    .description(
      "Follow the events of orders, look at their delivery to the handlers of the hosts, and replay or skip events.",
    )
    .addCommand(listEventsCommand(context))
    .addCommand(tailEventsCommand(context))
    .addCommand(replayEventsCommand(context))
    .addCommand(skipEventCommand(context))
    .addCommand(handlersCommand(context))
    .addCommand(removeHandlerCommand(context));
}
