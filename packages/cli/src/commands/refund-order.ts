import {
  newId,
  parseInput,
  refundOrder,
  refundOrderInput,
  type RefundOrderInput,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { approvalFailure, madeRefundAnswer, SEEN, waitingAnswer } from "../approval-answer.js";
import { auditedCommand, FROM_CLI, orderFacts } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, failure, UNKNOWN_HELP, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { parseWithPolicy, type WalletPorts, withOrderWallet } from "../ports.js";
import { refundAnswer } from "../refund-answer.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource, databaseOnly, type Server } from "../server/open-server.js";
import { readOrderPage } from "../server/orders.js";
import { requestRefundAtServer } from "../server/refunds.js";
import { examples, requiredOperator, sessionOperatorOption, STORED_IN_TIMELINE } from "../settings.js";
import { orderCommand } from "./order-command.js";

/** Creates `tillkit orders refund`, which refunds an order or asks for an approval. */
export function refundCommand({ io, report }: Context) {
  return orderCommand("refund")
    .description(
      `Refund a PAID order in part or in full, once per refund number. ${UNKNOWN_HELP} Do the same after an interruption: the command does not refund twice, and prints the outcome. Exits with 1 if the refund waits for the approval of another operator, for a top-up of the merchant's account (WAITING_FOR_FUNDS), or for a decision of the merchant (ABNORMAL).`,
    )
    .option("--amount <cents>", "amount to refund, in cents", wholeNumber)
    .option("--all", "refund everything that is not yet refunded or reserved by an open refund")
    .option(
      "--refund-no <number>",
      "the refund's number, unique for the order: 1 to 31 letters, digits, - and _. By default the command generates a number, and prints it before it calls the wallet",
    )
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline and sent to the wallet")
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(
      "--without-approval",
      "refund at once, also above the policy's refundApprovalOver; the audit log records it",
    )
    .option(...SEEN)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples(
        'tillkit orders refund --app app_1 order-1001 --amount 600 --refund-no case-17 --operator kim --reason "bought twice"',
        'tillkit orders refund --app app_1 order-1001 --all --operator kim --reason "bought twice"',
      ),
    )
    .action(
      (
        bizNo,
        { app, amount, all, refundNo: chosen, reason, operator: named, withoutApproval, seen, ...options },
      ) => {
        const refundNo = chosen ?? newId({ clock: io.clock, random: systemRandom });
        return report(
          options,
          refundedAmount(amount, all)
            .andTee(() => {
              // Printed before the wallet is called, because an operator needs the number after an
              // interruption.
              if (chosen === undefined)
                io.stderr.write(
                  `The refund's number is ${refundNo}. To retry this refund, set --refund-no ${refundNo}.\n`,
                );
            })
            .asyncAndThen((part) =>
              changeAtSource(
                io,
                { ...options, operator: named },
                {
                  database: () =>
                    requiredOperator(named)
                      .asyncAndThen((operator) =>
                        parseWithPolicy(io, options, refundOrderInput, {
                          bizNo,
                          refundNo,
                          reason,
                          operator,
                          ...part,
                        }),
                      )
                      .andThen((input) =>
                        withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
                          withoutApproval === true
                            ? refundedAtOnce(ports, app, input)
                            : requestedRefund(ports, app, input, seen),
                        ),
                      ),
                  server: (server) =>
                    withoutApproval === true
                      ? errAsync(databaseOnly("--without-approval"))
                      : refundedAtServer(server, { app, bizNo, refundNo, reason, seen }, part.amount),
                },
              ),
            ),
        );
      },
    );
}

/** Refunds a part of the order through a server, or the rest, or requests an approval. */
function refundedAtServer(
  server: Server,
  asked: RefundAtServer,
  amount: number | undefined,
): ResultAsync<CommandResult, CliFailure> {
  const { seen, ...refund } = asked;
  const known = amount === undefined ? restToRefund(server, asked) : okAsync(amount);
  return known
    .andThen((cents) =>
      requestRefundAtServer(server, { ...refund, amount: cents, ...(seen === undefined ? {} : { seen }) }),
    )
    .andThen((made) => ("approval" in made ? ok(waitingAnswer(made.approval)) : madeRefundAnswer(made)));
}

interface RefundAtServer {
  readonly app: string;
  readonly bizNo: string;
  readonly refundNo: string;
  readonly reason: string;
  readonly seen: number | undefined;
}

/** Returns what `--all` refunds. A repetition refunds the amount of its first request. */
function restToRefund(server: Server, { app, bizNo, refundNo }: RefundAtServer) {
  return readOrderPage(server, { app, bizNo }).andThen(({ remaining, refunds, approvals }) => {
    const earlier = [...refunds, ...approvals].find((one) => one.refundNo === refundNo);
    const amount = earlier?.amount ?? remaining;
    return amount > 0
      ? ok(amount)
      : err(failure("refused", "refund.nothing-left", "Nothing of the order is left to refund."));
  });
}

/** Refunds the order, or asks for an approval if the policy requires one. */
function requestedRefund(
  ports: WalletPorts,
  app: string,
  { operator, ...refund }: RefundOrderInput,
  seen: number | undefined,
): ResultAsync<CommandResult, CliFailure> {
  // Somebody who has the key file and the database has every right, so no limit of a role applies.
  const by = { name: operator, role: "admin" } as const;
  return parseInput(requestRefundInput(ports.policy), { ...refund, seen })
    .mapErr(coreFailure)
    .asyncAndThen((input) => requestRefund(ports, by, app, input, FROM_CLI).mapErr(approvalFailure))
    .andThen((requested) =>
      requested.outcome === "waiting-for-approval"
        ? okAsync(waitingAnswer(requested.approval))
        : madeRefundAnswer(requested),
    );
}

/** Refunds the order without an approval, and records that. */
function refundedAtOnce(
  ports: WalletPorts,
  app: string,
  input: RefundOrderInput,
): ResultAsync<CommandResult, CliFailure> {
  const { bizNo, refundNo, amount, operator, reason } = input;
  const detail = { refundNo, amount: amount ?? "all", withoutApproval: "true" };
  return auditedCommand(
    ports,
    { operator, reason, ...FROM_CLI },
    orderFacts("refund.request", { app, bizNo }, detail),
    () => refundOrder(ports, app, input).mapErr(coreFailure).map(refundAnswer),
  );
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
