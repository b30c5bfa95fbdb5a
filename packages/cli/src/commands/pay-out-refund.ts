import { Option } from "@commander-js/extra-typings";
import { applyAbnormalRefund, applyAbnormalRefundInput } from "@tillkit/core";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { z } from "zod";
import { inAnyCase } from "../case-insensitive-choice.js";
import { auditedCommand, FROM_CLI, orderFacts } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, UNKNOWN_HELP, usage } from "../failure.js";
import type { Io } from "../io.js";
import { parseWithPolicy, withOrderWallet } from "../ports.js";
import { readJson } from "../read-text.js";
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

const PAYEES = ["customer", "merchant"] as const;

const cardFile = z.strictObject({ bankType: z.string(), bankAccount: z.string(), realName: z.string() });

const CARD_FILE = { what: "card file", command: "tillkit orders pay-out-refund", secret: true } as const;

const CARD_HELP = `
The card file is one JSON object, which only its owner can read (chmod 600). The command sends it to the wallet encrypted, and never stores or prints it.
  bankType        the wallet's code for the bank and the type of card, such as CMB_DEBIT
  bankAccount     the number of the customer's debit card
  realName        the card holder's name`;

/** Creates `tillkit orders pay-out-refund`, which pays an ABNORMAL refund out to a bank card. */
export function payOutRefundCommand({ io, report }: Context) {
  return walletCommand("pay-out-refund")
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--refund-no <number>", "the refund's number")
    .addOption(sessionOperatorOption(io, STORED_IN_TIMELINE))
    .option(...SERVER_OPTION)
    .description(
      `Pay out an ABNORMAL refund of WeChat Pay to the customer's bank card or to the merchant's account. A refund is ABNORMAL if the money could not reach the account that the customer paid from. Alipay has no such call: use refunds settle there. With --server, a large refund stays ABNORMAL until a second operator names the same card. ${UNKNOWN_HELP}`,
    )
    .addOption(
      new Option(
        "--to <payee>",
        "customer: a debit card of the customer; merchant: the merchant's bank account at the wallet",
      )
        .choices(PAYEES)
        .argParser(inAnyCase(PAYEES))
        .makeOptionMandatory(),
    )
    .option(
      "--card-file <file>",
      "file with the customer's card, - for standard input; required with --to customer",
    )
    .requiredOption("--reason <text>", "the reason, stored in the order's timeline")
    .addHelpText("after", CARD_HELP)
    .addHelpText(
      "after",
      examples(
        'tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to customer --card-file card.json --operator kim --reason "card closed"',
        'pass show card-17 | tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to customer --card-file - --operator kim --reason "card closed"',
        'tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to merchant --operator kim --reason "customer has no card"',
      ),
    )
    .action((bizNo, { app, refundNo, to: payTo, cardFile: file, reason, operator: named, ...options }) => {
      const inDatabase = (operator: string, card: Card) =>
        parseWithPolicy(io, options, applyAbnormalRefundInput, {
          ...card,
          bizNo,
          refundNo,
          payTo,
          reason,
          operator,
        }).andThen((input) =>
          withOrderWallet(io, options, { appId: app, bizNo }, (ports) =>
            auditedCommand(
              ports,
              { operator, reason, ...FROM_CLI },
              orderFacts("refund.pay-out", { app, bizNo }, { refundNo, payTo }),
              () => applyAbnormalRefund(ports, app, input).mapErr(coreFailure),
            ),
          ),
        );
      return report(
        options,
        cardOf(io, payTo, file).andThen((card) =>
          changeAtSource(
            io,
            { ...options, operator: named },
            {
              database: () => requiredOperator(named).asyncAndThen((operator) => inDatabase(operator, card)),
              server: (server) =>
                changeRefund(server, {
                  app,
                  bizNo,
                  refundNoOf: () => refundNo,
                  action: [refundNo, "pay-out"],
                  body: { reason, payTo, ...card },
                }),
            },
          ).map(refundAnswer),
        ),
      );
    });
}

type Card = Partial<z.infer<typeof cardFile>>;

function cardOf(
  io: Io,
  payTo: (typeof PAYEES)[number],
  file: string | undefined,
): ResultAsync<Card, CliFailure> {
  if (payTo === "merchant") {
    if (file === undefined) return okAsync({});
    return errAsync(usage("--card-file is only for --to customer: remove it, or set --to customer."));
  }
  if (file === undefined)
    return errAsync(
      usage("Set --card-file to the file with the customer's card, or to - for standard input."),
    );
  return readJson(io, file, CARD_FILE).andThen(readCard);
}

function readCard(json: unknown): Result<z.infer<typeof cardFile>, CliFailure> {
  const parsed = cardFile.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  // The message does not quote the file, which contains a card number.
  return err(
    usage(
      "The card file is not a JSON object with bankType, bankAccount and realName: see `tillkit orders pay-out-refund --help`.",
    ),
  );
}
