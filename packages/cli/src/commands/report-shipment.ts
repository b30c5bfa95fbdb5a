import {
  type RequestShipmentFailure,
  requestShipment,
  type ShipmentNotReportable,
} from "@tillkit/core/operators";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, failure } from "../failure.js";
import { withWallets } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource, requiredReason } from "../server/open-server.js";
import { changeOrder } from "../server/orders.js";
import { AUDIT_OPTIONS, examples } from "../settings.js";
import { orderCommand } from "./order-command.js";

/** Creates `tillkit orders report-shipment`, which reports a delivery to the wallet. */
export function reportShipmentCommand({ io, report }: Context) {
  return orderCommand("report-shipment")
    .description(
      "Report to WeChat the delivery of an order that was paid in a mini-program. Use it after a refused report, and for an order that was paid before its pay tool had the option shipments. The host sends the report within seconds.",
    )
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .option(...SERVER_OPTION)
    .addHelpText("after", examples("tillkit orders report-shipment --app app_1 order-1001"))
    .action((bizNo, { app, ...options }) =>
      report(
        options,
        changeAtSource(io, options, {
          database: () =>
            commandOf(io, options).asyncAndThen((by) =>
              withWallets(io, options, (ports) =>
                requestShipment(ports, { appId: app, bizNo }, by).mapErr(shipmentFailure),
              ),
            ),
          server: (server) =>
            requiredReason(options.reason).asyncAndThen((reason) =>
              changeOrder(server, { app, bizNo }, "report-shipment", { reason }).map(() => undefined),
            ),
        }).map(() => ({
          data: { appId: app, bizNo },
          text: `The report of the delivery of ${bizNo} is due now. \`tillkit orders explain\` shows its result.`,
        })),
      ),
    );
}

const REASONS: Readonly<Record<ShipmentNotReportable["because"], string>> = {
  "not-paid": "The order is not PAID, or the whole amount is refunded. There is nothing to report.",
  "switched-off":
    "The pay tool of the order does not report deliveries. Set shipments and appSecret with `tillkit pay-tools change` first.",
  "other-source": "The order was not paid in a mini-program (JSAPI), so WeChat needs no report.",
  "no-payer":
    "The customer's openid is not stored, or was erased. Report the delivery in the console of the mini-program.",
  reported: "WeChat has the report of this delivery already.",
};

function shipmentFailure(problem: RequestShipmentFailure): CliFailure {
  return problem.name === "shipment.not-reportable"
    ? failure("refused", problem.name, REASONS[problem.because])
    : coreFailure(problem);
}
