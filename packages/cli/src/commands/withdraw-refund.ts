import { withdrawRefund, withdrawRefundInput } from "@tillkit/core/operators";
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

/** Creates `tillkit refunds withdraw`, which ends a refund that the wallet does not have. */
export function withdrawRefundCommand({ io, report }: Context) {
  return walletCommand("withdraw")
    .argument("<biz-no>", "the order's bizNo")
    .description(
      "End an open refund that the wallet does not have, for example one that waits for funds. The command queries the wallet first. It withdraws the refund only in one of two cases: the wallet signs that it has no refund with this number, or the wallet gives no answer and the refunds that it confirmed leave too little of the order for this refund. Tillkit never sends the number again, and the amount can be refunded under a new number. To pay the customer by other means, use `tillkit refunds settle` instead, which keeps the amount reserved.",
    )
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--refund-no <number>", "the refund's number")
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(...SERVER_OPTION)
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .addHelpText(
      "after",
      examples(
        'tillkit refunds withdraw --app app_1 order-1001 --refund-no case-17 --operator kim --reason "the customer keeps the goods"',
      ),
    )
    .action((bizNo, { app, refundNo, reason, operator: named, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named).asyncAndThen((operator) =>
                parseWithPolicy(io, options, withdrawRefundInput, {
                  bizNo,
                  refundNo,
                  reason,
                  operator,
                }).andThen((input) =>
                  withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                    withdrawRefund(ports, app, input, FROM_CLI).mapErr(coreFailure),
                  ),
                ),
              ),
            server: (server) =>
              changeRefund(server, {
                app,
                bizNo,
                refundNoOf: () => refundNo,
                action: [refundNo, "withdraw"],
                body: { reason },
              }),
          },
        ).map(refundAnswer),
      ),
    );
}
