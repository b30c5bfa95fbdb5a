import { Option } from "@commander-js/extra-typings";
import { parseInput } from "@tillkit/core";
import {
  approveRefund,
  decideRefundInput,
  listRefundApprovals,
  listRefundApprovalsInput,
  rejectRefund,
} from "@tillkit/core/operators";
import { REFUND_APPROVAL_STATES } from "@tillkit/core/ports";
import { ok, okAsync } from "neverthrow";
import {
  approvalFailure,
  SEEN,
  approvalsAnswer,
  decidedAnswer,
  madeRefundAnswer,
} from "../approval-answer.js";
import { commandOf, FROM_CLI } from "../audit.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { coreFailure, UNKNOWN_HELP } from "../failure.js";
import { type WalletPorts, withOrderWallet, withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeAtSource, fromSource } from "../server/open-server.js";
import { decideAtServer, listApprovals } from "../server/refunds.js";
import { adoptRefundCommand } from "./adopt-refund.js";
import { listRefundsCommand } from "./list-refunds.js";
import { settleRefundCommand } from "./settle-refund.js";
import { withdrawRefundCommand } from "./withdraw-refund.js";
import {
  CSV_OPTION,
  examples,
  groupCommand,
  keyedCommand,
  requiredOperator,
  sessionOperatorOption,
  walletCommand,
} from "../settings.js";

/** The number of approvals that one command lists. */
const PAGE = 100;
const OPERATOR = "your name, which must not be that of the operator who requested it";
const REASON = ["--reason <text>", "the reason of the decision, for the audit log"] as const;
const ID = ["<id>", "the id in `tillkit refunds approvals`"] as const;

/** Creates `tillkit refunds`, which decides about refunds that need a second operator. */
export function refundsCommand({ io, report }: Context) {
  const approvals = keyedCommand("approvals")
    .description(
      `List the refunds that need the approval of a second operator, the latest request first, at most ${PAGE}.`,
    )
    .addOption(
      new Option("--state <state>", "list the refunds in this state")
        .choices(REFUND_APPROVAL_STATES)
        .argParser(inAnyCase(REFUND_APPROVAL_STATES))
        .default("WAITING" as const),
    )
    .option("--app <app-id>", "list only refunds of this app")
    .option("--before <id>", "continue after the refund with this id, the last one of the previous list")
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples("tillkit refunds approvals", "tillkit refunds approvals --state APPROVED --json"),
    )
    .action(({ state, app, before, ...options }) =>
      report(
        options,
        fromSource(io, options, {
          database: () =>
            withPorts(io, options, (ports) =>
              (before === undefined ? okAsync(undefined) : ports.refundApprovals.find(before))
                .mapErr(coreFailure)
                .andThen((last) => {
                  const place = last && { requestedAt: last.requestedAt, id: last.id };
                  const query = { states: [state], limit: PAGE, before: place };
                  return parseInput(listRefundApprovalsInput(), query).mapErr(coreFailure);
                })
                .andThen((input) =>
                  listRefundApprovals(ports, app === undefined ? {} : { apps: [app] }, input).mapErr(
                    coreFailure,
                  ),
                ),
            ),
          server: (server) => listApprovals(server, { app, state, before, limit: PAGE }),
        }).map((found) => approvalsAnswer(found, state)),
      ),
    );

  const approve = walletCommand("approve")
    .argument(...ID)
    .description(
      `Approve a refund that another operator requested, and make it. ${UNKNOWN_HELP} Repeat the command with the same id then: the refund is made once.`,
    )
    .addOption(sessionOperatorOption(io, OPERATOR))
    .option(...SERVER_OPTION)
    .requiredOption(...REASON)
    .option(...SEEN)
    .addHelpText(
      "after",
      examples('tillkit refunds approve 01JH2Z6Q8M --operator kim --reason "checked with the customer"'),
    )
    .action((id, { operator, reason, seen, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator },
          {
            database: () =>
              decisionOf(io, { id, operator, reason, seen }).asyncAndThen(({ by, input }) =>
                withOrderWallet(io, options, orderOf(id), (ports) =>
                  approveRefund(ports, by, input, FROM_CLI).mapErr(approvalFailure),
                ),
              ),
            server: (server) =>
              decideAtServer(server, {
                id,
                decision: "approve",
                reason,
                ...(seen === undefined ? {} : { seen }),
              }),
          },
        ).andThen(({ approval, made }) =>
          made === undefined ? ok(decidedAnswer(approval)) : madeRefundAnswer(made),
        ),
      ),
    );

  const reject = keyedCommand("reject")
    .argument(...ID)
    .description(
      "Reject a refund that another operator requested. Its number is never used. A new request needs another number.",
    )
    .addOption(sessionOperatorOption(io, OPERATOR))
    .option(...SERVER_OPTION)
    .requiredOption(...REASON)
    .addHelpText(
      "after",
      examples('tillkit refunds reject 01JH2Z6Q8M --operator kim --reason "already refunded"'),
    )
    .action((id, { operator, reason, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator },
          {
            database: () =>
              decisionOf(io, { id, operator, reason }).asyncAndThen(({ by, input }) =>
                withPorts(io, options, (ports) =>
                  rejectRefund(ports, by, input, FROM_CLI).mapErr(approvalFailure),
                ),
              ),
            server: (server) =>
              decideAtServer(server, { id, decision: "reject", reason }).map(({ approval }) => approval),
          },
        ).map(decidedAnswer),
      ),
    );

  return groupCommand("refunds")
    .description(
      "List, approve and reject refunds that need a second operator, record refunds that were made at the wallet or by other means, and withdraw refunds that the wallet does not have.",
    )
    .addCommand(adoptRefundCommand({ io, report }))
    .addCommand(withdrawRefundCommand({ io, report }))
    .addCommand(settleRefundCommand({ io, report }))
    .addCommand(listRefundsCommand({ io, report }))
    .addCommand(approvals)
    .addCommand(approve)
    .addCommand(reject);
}

/** Returns the order of an approval, or `undefined` if there is no such approval. */
function orderOf(id: string) {
  return (ports: WalletPorts) => ports.refundApprovals.find(id).mapErr(coreFailure);
}

/** Returns who decides, and what. Somebody who has the key file has every right. */
function decisionOf(
  io: Context["io"],
  {
    id,
    operator,
    reason,
    seen,
  }: {
    readonly id: string;
    readonly operator: string | undefined;
    readonly reason: string;
    readonly seen?: number | undefined;
  },
) {
  return requiredOperator(operator)
    .andThen((decider) => commandOf(io, { operator: decider, reason }))
    .andThen(({ operator: name }) =>
      parseInput(decideRefundInput(), { id, reason, seen })
        .mapErr(coreFailure)
        .map((input) => ({ by: { name, role: "admin" } as const, input })),
    );
}
