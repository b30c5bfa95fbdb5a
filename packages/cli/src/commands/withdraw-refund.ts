import { withdrawRefund, withdrawRefundInput } from "@tillkit/core";
import { FROM_CLI } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { parseWithPolicy, withWallets } from "../ports.js";
import { refundAnswer } from "../refund-answer.js";
import { examples, operatorOption, STORED_IN_TIMELINE, walletCommand } from "../settings.js";

/** Creates `tillkit refunds withdraw`, which ends a refund that the wallet does not have. */
export function withdrawRefundCommand({ io, report }: Context) {
  return walletCommand("withdraw")
    .argument("<biz-no>", "the order's bizNo")
    .description(
      "End an open refund that the wallet does not have, for example one that waits for funds. The command queries the wallet, and withdraws the refund only if the wallet signs that it has none with its number. Tillkit never sends the number again. Then refund under a new number, or pay the customer by other means and use `tillkit refunds settle`.",
    )
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--refund-no <number>", "the refund's number")
    .addOption(operatorOption(io, STORED_IN_TIMELINE))
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .addHelpText(
      "after",
      examples(
        'tillkit refunds withdraw --app app_1 order-1001 --refund-no case-17 --operator kim --reason "paid in cash"',
      ),
    )
    .action((bizNo, { app, refundNo, reason, operator, ...options }) =>
      report(
        options,
        parseWithPolicy(io, options, withdrawRefundInput, { bizNo, refundNo, reason, operator }).andThen(
          (input) =>
            withWallets(io, options, (ports) =>
              withdrawRefund(ports, app, input, FROM_CLI).mapErr(coreFailure).map(refundAnswer),
            ),
        ),
      ),
    );
}
