import { settleRefund, settleRefundInput } from "@tillkit/core";
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

/** Creates `tillkit refunds settle`, which records a refund that is paid by other means. */
export function settleRefundCommand({ io, report }: Context) {
  return walletCommand("settle")
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--refund-no <number>", "the refund's number")
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(...SERVER_OPTION)
    .description(
      "Record that the merchant pays the customer of a refund by other means, such as a bank transfer. Pay the customer after the command: it ends the refund and counts the amount in one step, so that no other refund can use the money. The refund must be ABNORMAL, FAILED or WITHDRAWN, or the wallet must sign that it has not made it. The command queries the wallet first, and moves no money. The refund is never sent to the wallet again.",
    )
    .requiredOption("--reason <text>", "how the customer is paid, for the order's timeline")
    .option(
      "--evidence <text>",
      "what proves the outcome, such as a line of the wallet's console; required if the wallet has not answered about an open refund for days",
    )
    .addHelpText(
      "after",
      examples(
        'tillkit refunds settle --app app_1 order-1001 --refund-no case-17 --operator kim --reason "bank transfer 2026-01-20, voucher 881"',
      ),
    )
    .action((bizNo, { app, refundNo, reason, operator: named, evidence, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named).asyncAndThen((operator) =>
                parseWithPolicy(io, options, settleRefundInput, {
                  bizNo,
                  refundNo,
                  reason,
                  operator,
                  evidence,
                }).andThen((input) =>
                  withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                    settleRefund(ports, app, input, FROM_CLI).mapErr(coreFailure),
                  ),
                ),
              ),
            server: (server) =>
              changeRefund(server, {
                app,
                bizNo,
                refundNoOf: () => refundNo,
                action: [refundNo, "settle"],
                body: { reason, ...(evidence === undefined ? {} : { evidence }) },
              }),
          },
        ).map(refundAnswer),
      ),
    );
}
