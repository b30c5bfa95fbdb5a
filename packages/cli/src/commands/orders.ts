import {
  closeOrder,
  closeOrderInput,
  defaultPolicy,
  newId,
  parseInput,
  refundOrder,
  refundOrderInput,
  syncOrder,
} from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { orderAnswer } from "../order-answer.js";
import { withWallets } from "../ports.js";
import { refundAnswer } from "../refund-answer.js";
import { payOutRefundCommand, settleRefundCommand } from "./end-refunds.js";
import { explainCommand, findCommand } from "./look-at-orders.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

function orderCommand(name: string) {
  return keyedCommand(name)
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app");
}

/** Creates `tillkit orders`, which an operator uses to inspect, close and refund single orders. */
export function ordersCommand({ io, report }: Context) {
  const sync = orderCommand("sync")
    .description("Ask the wallet about a PENDING order now, and take over what it says.")
    .addHelpText("after", examples("tillkit orders sync --app app_1 order-1001"))
    .action((bizNo, { app, ...options }) =>
      report(
        options,
        withWallets(io, options, (ports) =>
          syncOrder(ports, app, bizNo).mapErr(coreFailure).map(orderAnswer),
        ),
      ),
    );

  const close = orderCommand("close")
    .description(
      "Close a PENDING order before its time, at the wallet first. If it was paid meanwhile, it is PAID.",
    )
    .requiredOption("--reason <text>", "why, for the order's timeline")
    .requiredOption("--operator <name>", "who, for the order's timeline")
    .addHelpText(
      "after",
      examples('tillkit orders close --app app_1 order-1001 --operator kim --reason "customer called"'),
    )
    .action((bizNo, { app, reason, operator, ...options }) =>
      report(
        options,
        parseInput(closeOrderInput(defaultPolicy), { bizNo, reason, operator })
          .mapErr(coreFailure)
          .asyncAndThen((input) =>
            withWallets(io, options, (ports) =>
              closeOrder(ports, app, input).mapErr(coreFailure).map(orderAnswer),
            ),
          ),
      ),
    );

  const refund = orderCommand("refund")
    .description(
      "Send money of a PAID order back, once per refund number. If the wallet gives no definite answer (exit code 5), or the command was interrupted, repeat it with the same number: no more money moves, and you are told how the refund ended. Do not refund in another way. Ends with 1 if the refund waits for a top-up of the merchant's account (WAITING_FOR_FUNDS) or for a decision of the merchant (ABNORMAL).",
    )
    .option("--amount <cents>", "how much, in cents", wholeNumber)
    .option("--all", "all that is neither refunded nor reserved by an open refund")
    .option(
      "--refund-no <number>",
      "the refund's number, new to the order: 1 to 31 letters, digits, - and _; if absent one is made, and printed before the wallet is called",
    )
    .requiredOption("--reason <text>", "why, for the order's timeline and the customer's statement")
    .requiredOption("--operator <name>", "who, for the order's timeline")
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
          .andThen((part) =>
            parseInput(refundOrderInput(defaultPolicy), {
              bizNo,
              refundNo,
              reason,
              operator,
              ...part,
            }).mapErr(coreFailure),
          )
          .andTee(() => {
            // Printed before the wallet is called, because an operator needs the number after an
            // interruption.
            if (chosen === undefined)
              io.stderr.write(
                `The refund's number is ${refundNo}. To repeat it, give --refund-no ${refundNo}.\n`,
              );
          })
          .asyncAndThen((input) =>
            withWallets(io, options, (ports) =>
              refundOrder(ports, app, input).mapErr(coreFailure).map(refundAnswer),
            ),
          ),
      );
    });

  return groupCommand("orders")
    .description("What an operator does about single orders.")
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
    return err(usage("Say how much to refund: either --amount in cents, or --all."));
  return ok(amount === undefined ? {} : { amount });
}
