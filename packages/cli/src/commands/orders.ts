import { closeOrder, closeOrderInput, newId, refundOrder, refundOrderInput, syncOrder } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";
import { auditedCommand, commandOf, FROM_CLI, orderFacts } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, UNKNOWN_HELP, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { orderAnswer } from "../order-answer.js";
import { parseWithPolicy, withWallets } from "../ports.js";
import { refundAnswer } from "../refund-answer.js";
import { payOutRefundCommand, settleRefundCommand } from "./end-refunds.js";
import { explainCommand, findCommand } from "./look-at-orders.js";
import { AUDIT_OPTIONS, examples, groupCommand, walletCommand } from "../settings.js";

function orderCommand(name: string) {
  return walletCommand(name)
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app");
}

/** Creates `tillkit orders`, which an operator uses to inspect, close and refund single orders. */
export function ordersCommand({ io, report }: Context) {
  const sync = orderCommand("sync")
    .description(`Query the wallet about a PENDING order now, and update the order. ${UNKNOWN_HELP}`)
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .addHelpText("after", examples("tillkit orders sync --app app_1 order-1001"))
    .action((bizNo, { app, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withWallets(io, options, (ports) =>
            auditedCommand(ports, by, orderFacts("order.sync", { app, bizNo }), () =>
              syncOrder(ports, app, bizNo).mapErr(coreFailure).map(orderAnswer),
            ),
          ),
        ),
      ),
    );

  const close = orderCommand("close")
    .description(
      "Close a PENDING order before it expires, first at the wallet. If the customer has already paid, the order becomes PAID.",
    )
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .requiredOption("--operator <name>", "the operator's name, stored in the order's timeline")
    .addHelpText(
      "after",
      examples('tillkit orders close --app app_1 order-1001 --operator kim --reason "customer called"'),
    )
    .action((bizNo, { app, reason, operator, ...options }) =>
      report(
        options,
        parseWithPolicy(io, options, closeOrderInput, { bizNo, reason, operator }).andThen((input) =>
          withWallets(io, options, (ports) =>
            auditedCommand(
              ports,
              { operator, reason, ...FROM_CLI },
              orderFacts("order.close", { app, bizNo }),
              () => closeOrder(ports, app, input).mapErr(coreFailure).map(orderAnswer),
            ),
          ),
        ),
      ),
    );

  const refund = orderCommand("refund")
    .description(
      `Refund a PAID order in part or in full, once per refund number. ${UNKNOWN_HELP} Do the same after an interruption: the command does not refund twice, and prints the outcome. Exits with 1 if the refund waits for a top-up of the merchant's account (WAITING_FOR_FUNDS) or for a decision of the merchant (ABNORMAL).`,
    )
    .option("--amount <cents>", "amount to refund, in cents", wholeNumber)
    .option("--all", "refund everything that is not yet refunded or reserved by an open refund")
    .option(
      "--refund-no <number>",
      "the refund's number, unique for the order: 1 to 31 letters, digits, - and _. By default the command generates a number, and prints it before it calls the wallet",
    )
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline and sent to the wallet")
    .requiredOption("--operator <name>", "the operator's name, stored in the order's timeline")
    .addHelpText(
      "after",
      examples(
        'tillkit orders refund --app app_1 order-1001 --amount 600 --refund-no case-17 --operator kim --reason "bought twice"',
        'tillkit orders refund --app app_1 order-1001 --all --operator kim --reason "bought twice"',
      ),
    )
    .action((bizNo, { app, amount, all, refundNo: chosen, reason, operator, ...options }) => {
      const refundNo = chosen ?? newId({ clock: io.clock, random: systemRandom });
      return report(
        options,
        refundedAmount(amount, all)
          .asyncAndThen((part) =>
            parseWithPolicy(io, options, refundOrderInput, { bizNo, refundNo, reason, operator, ...part }),
          )
          .andTee(() => {
            // Printed before the wallet is called, because an operator needs the number after an
            // interruption.
            if (chosen === undefined)
              io.stderr.write(
                `The refund's number is ${refundNo}. To retry this refund, set --refund-no ${refundNo}.\n`,
              );
          })
          .andThen((input) =>
            withWallets(io, options, (ports) =>
              auditedCommand(
                ports,
                { operator, reason, ...FROM_CLI },
                orderFacts("refund.request", { app, bizNo }, { refundNo, amount: amount ?? "all" }),
                () => refundOrder(ports, app, input).mapErr(coreFailure).map(refundAnswer),
              ),
            ),
          ),
      );
    });

  return groupCommand("orders")
    .description("Inspect, close and refund single orders.")
    .addCommand(findCommand({ io, report }))
    .addCommand(explainCommand({ io, report }))
    .addCommand(sync)
    .addCommand(close)
    .addCommand(refund)
    .addCommand(payOutRefundCommand({ io, report }))
    .addCommand(settleRefundCommand({ io, report }));
}

/** Requires an explicit amount, so that a forgotten option never refunds the whole order. */
function refundedAmount(
  amount: number | undefined,
  all: true | undefined,
): Result<{ readonly amount?: number }, CliFailure> {
  if ((amount === undefined) === (all === undefined))
    return err(usage("Set the amount to refund: either --amount in cents, or --all."));
  return ok(amount === undefined ? {} : { amount });
}
