import { adoptedRefundNo, adoptRefund, adoptRefundInput } from "@tillkit/core/operators";
import { FROM_CLI } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { parseWithPolicy, withOrderWallet } from "../ports.js";
import { refundAnswer } from "../refund-answer.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource } from "../server/open-server.js";
import { changeRefund } from "../server/orders.js";
import {
  examples,
  requiredOperator,
  sessionOperatorOption,
  STORED_IN_TIMELINE,
  walletCommand,
} from "../settings.js";

/** Creates `tillkit refunds adopt`, which records a refund that was made at the wallet. */
export function adoptRefundCommand({ io, report }: Context) {
  return walletCommand("adopt")
    .argument("<biz-no>", "the order's bizNo")
    .description(
      "Record a refund that somebody made at the wallet, for example in its console. The command moves no money. It queries the wallet for the number, and records only what the wallet confirms for this order. The amount counts as refunded. The daily bill does the same for every refund that it lists.",
    )
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption(
      "--number <number>",
      "the refund's number at the wallet: the merchant refund number at WeChat Pay, the refund request number at Alipay",
    )
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(...SERVER_OPTION)
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .addHelpText(
      "after",
      examples(
        'tillkit refunds adopt --app app_1 order-1001 --number 50300000382026112700001 --operator kim --reason "refunded in the merchant platform"',
      ),
    )
    .action((bizNo, { app, number: walletRefundNo, reason, operator: named, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named).asyncAndThen((operator) =>
                parseWithPolicy(io, options, adoptRefundInput, {
                  bizNo,
                  walletRefundNo,
                  reason,
                  operator,
                }).andThen((input) =>
                  withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                    adoptRefund(ports, app, input, FROM_CLI).mapErr(coreFailure),
                  ),
                ),
              ),
            server: (server) =>
              changeRefund(server, {
                app,
                bizNo,
                refundNoOf: (order) => adoptedRefundNo(order, walletRefundNo),
                action: ["adopt"],
                body: { walletRefundNo, reason },
              }),
          },
        ).map(refundAnswer),
      ),
    );
}
