import { auditedCommand, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure, failure } from "../failure.js";
import { withPorts } from "../ports.js";
import { changingCommand, examples, keyedCommand } from "../settings.js";
import { err, ok } from "neverthrow";

/** Creates `tillkit events handlers`, which lists the registered handlers. */
export function handlersCommand({ io, report }: Context) {
  return keyedCommand("handlers")
    .description("List the registered event handlers. A host registers its handlers when it starts.")
    .addHelpText("after", examples("tillkit events handlers"))
    .action((options) =>
      report(
        options,
        withPorts(io, options, ({ eventDeliveries }) =>
          eventDeliveries
            .listHandlers()
            .mapErr(coreFailure)
            .map((handlers) => ({ data: { handlers }, text: ["HANDLER", ...handlers].join("\n") })),
        ),
      ),
    );
}

/** Creates `tillkit events remove-handler`, which removes a handler that no host has any more. */
export function removeHandlerCommand({ io, report }: Context) {
  return changingCommand("remove-handler")
    .description(
      "Remove a handler that no host has any more, with its deliveries. Undelivered events are not delivered. If a running host has the handler, restart the host to register it again.",
    )
    .argument("<name>", "the handler's name")
    .addHelpText("after", examples("tillkit events remove-handler mailer"))
    .action((name, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            auditedCommand(
              ports,
              by,
              { action: "event.remove-handler", subject: `event-handler:${name}` },
              () =>
                ports.eventDeliveries
                  .removeHandler(name)
                  .mapErr(coreFailure)
                  .andThen((removed) =>
                    removed
                      ? ok({
                          data: { removed: name },
                          text: `The handler ${name} and its deliveries are removed.`,
                        })
                      : err(failure("refused", "handler.unknown", UNKNOWN_HANDLER)),
                  ),
            ),
          ),
        ),
      ),
    );
}

const UNKNOWN_HANDLER =
  "No handler with this name is registered. `tillkit events handlers` lists the handlers.";
