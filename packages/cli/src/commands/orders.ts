import { syncOrder } from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { auditedCommand, commandOf, FROM_CLI, orderFacts } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure, UNKNOWN_HELP } from "../failure.js";
import { orderAnswer, orderData } from "../order-answer.js";
import { parseWithPolicy, withOrderWallet } from "../ports.js";
import { payOutRefundCommand } from "./pay-out-refund.js";
import { listOrdersCommand } from "./list-orders.js";
import { explainCommand, findCommand } from "./look-at-orders.js";
import { refundCommand } from "./refund-order.js";
import { reportShipmentCommand } from "./report-shipment.js";
import { watchCommand } from "./watch-order.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource, requiredReason } from "../server/open-server.js";
import { changeOrder } from "../server/orders.js";
import {
  AUDIT_OPTIONS,
  examples,
  groupCommand,
  requiredOperator,
  sessionOperatorOption,
  STORED_IN_TIMELINE,
} from "../settings.js";
import { orderCommand } from "./order-command.js";

/** Creates `tillkit orders`, which an operator uses to inspect, close and refund single orders. */
export function ordersCommand({ io, report }: Context) {
  const sync = orderCommand("sync")
    .description(`Query the wallet about a PENDING order now, and update the order. ${UNKNOWN_HELP}`)
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .option(...SERVER_OPTION)
    .addHelpText("after", examples("tillkit orders sync --app app_1 order-1001"))
    .action((bizNo, { app, ...options }) =>
      report(
        options,
        changeAtSource(io, options, {
          database: () =>
            commandOf(io, options).asyncAndThen((by) =>
              withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                auditedCommand(ports, by, orderFacts("order.sync", { app, bizNo }), () =>
                  syncOrder(ports, app, bizNo).mapErr(coreFailure).map(orderData),
                ),
              ),
            ),
          server: (server) =>
            requiredReason(options.reason).asyncAndThen((reason) =>
              changeOrder(server, { app, bizNo }, "sync", { reason }),
            ),
        }).map(orderAnswer),
      ),
    );

  const close = orderCommand("close")
    .description(
      "Close a PENDING order before it expires, first at the wallet. If the customer has already paid, the order becomes PAID.",
    )
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples('tillkit orders close --app app_1 order-1001 --operator kim --reason "customer called"'),
    )
    .action((bizNo, { app, reason, operator: named, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named).asyncAndThen((operator) =>
                parseWithPolicy(io, options, closeOrderInput, { bizNo, reason, operator }).andThen((input) =>
                  withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                    auditedCommand(
                      ports,
                      { operator, reason, ...FROM_CLI },
                      orderFacts("order.close", { app, bizNo }),
                      () => closeOrder(ports, app, input).mapErr(coreFailure).map(orderData),
                    ),
                  ),
                ),
              ),
            server: (server) => changeOrder(server, { app, bizNo }, "close", { reason }),
          },
        ).map(orderAnswer),
      ),
    );

  return groupCommand("orders")
    .description("Find, inspect, close and refund orders.")
    .addCommand(findCommand({ io, report }))
    .addCommand(listOrdersCommand({ io, report }))
    .addCommand(explainCommand({ io, report }))
    .addCommand(watchCommand({ io, report }))
    .addCommand(sync)
    .addCommand(close)
    .addCommand(refundCommand({ io, report }))
    .addCommand(payOutRefundCommand({ io, report }))
    .addCommand(reportShipmentCommand({ io, report }));
}
