import { Option } from "@commander-js/extra-typings";
import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  defaultPolicy,
  parseInput,
  settleRefund,
  settleRefundInput,
} from "@tillkit/core";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { z } from "zod";
import { inAnyCase } from "../choice.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { withWallets } from "../ports.js";
import { readText } from "../read-text.js";
import { refundAnswer } from "../refund-answer.js";
import { examples, keyedCommand } from "../settings.js";

const PAYEES = ["customer", "merchant"] as const;

const cardFile = z.strictObject({ bankType: z.string(), bankAccount: z.string(), realName: z.string() });

const CARD_HELP = `
The card file is one JSON object. Its content goes to the wallet, encrypted, and is stored and printed nowhere:
  bankType        the wallet's code of the bank and the kind of card, such as CMB_DEBIT
  bankAccount     the number of the customer's debit card
  realName        the name of its holder`;

function refundCommand(name: string) {
  return keyedCommand(name)
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .requiredOption("--refund-no <number>", "the refund's number")
    .requiredOption("--operator <name>", "who, for the order's timeline");
}

/** Creates `tillkit orders pay-out-refund`, which pays an ABNORMAL refund out to a bank card. */
export function payOutRefundCommand({ io, report }: Context) {
  return refundCommand("pay-out-refund")
    .description(
      "Pay an ABNORMAL refund of WeChat Pay out to a bank card, because it could not reach the customer by the way it was paid. Alipay has no such call: there settle-refund records how the customer was paid. If the wallet gives no definite answer (exit code 5), do not pay in another way: `tillkit orders explain` says how it ended.",
    )
    .addOption(
      new Option(
        "--to <payee>",
        "customer: a debit card of the customer; merchant: the account that the wallet settles the merchant's money to",
      )
        .choices(PAYEES)
        .argParser(inAnyCase(PAYEES))
        .makeOptionMandatory(),
    )
    .option("--card-file <file>", "the customer's card, with --to customer; - for standard input")
    .requiredOption("--reason <text>", "why, for the order's timeline")
    .addHelpText("after", CARD_HELP)
    .addHelpText(
      "after",
      examples(
        'tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to customer --card-file card.json --operator kim --reason "card closed"',
        'pass show card-17 | tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to customer --card-file - --operator kim --reason "card closed"',
        'tillkit orders pay-out-refund --app app_1 order-1001 --refund-no case-17 --to merchant --operator kim --reason "customer has no card"',
      ),
    )
    .action((bizNo, { app, refundNo, to: payTo, cardFile: file, reason, operator, ...options }) =>
      report(
        options,
        cardOf(io, payTo, file)
          .andThen((card) =>
            parseInput(applyAbnormalRefundInput(defaultPolicy), {
              ...card,
              ...{ bizNo, refundNo, payTo, reason, operator },
            }).mapErr(coreFailure),
          )
          .andThen((input) =>
            withWallets(io, options, (ports) =>
              applyAbnormalRefund(ports, app, input).mapErr(coreFailure).map(refundAnswer),
            ),
          ),
      ),
    );
}

/** Creates `tillkit orders settle-refund`, which records a refund that was paid by other means. */
export function settleRefundCommand({ io, report }: Context) {
  return refundCommand("settle-refund")
    .description(
      "Record that the merchant has paid the customer of an ABNORMAL or FAILED refund by other means, such as a bank transfer. It moves no money: the amount counts as refunded, and the refund is never sent again. The wallet is asked first, and nothing is recorded if it has made the refund after all.",
    )
    .requiredOption("--reason <text>", "how the customer was paid, for the order's timeline")
    .addHelpText(
      "after",
      examples(
        'tillkit orders settle-refund --app app_1 order-1001 --refund-no case-17 --operator kim --reason "bank transfer 2026-01-20, voucher 881"',
      ),
    )
    .action((bizNo, { app, refundNo, reason, operator, ...options }) =>
      report(
        options,
        parseInput(settleRefundInput(defaultPolicy), { bizNo, refundNo, reason, operator })
          .mapErr(coreFailure)
          .asyncAndThen((input) =>
            withWallets(io, options, (ports) =>
              settleRefund(ports, app, input).mapErr(coreFailure).map(refundAnswer),
            ),
          ),
      ),
    );
}

function cardOf(
  io: Io,
  payTo: (typeof PAYEES)[number],
  file: string | undefined,
): ResultAsync<Partial<z.infer<typeof cardFile>>, CliFailure> {
  if (payTo === "merchant") {
    if (file === undefined) return okAsync({});
    return errAsync(usage("A card is for --to customer: leave --card-file out."));
  }
  if (file === undefined)
    return errAsync(usage("Name the customer's card by --card-file; - reads standard input."));
  return readText(io, file).andThen(readCard);
}

function readCard(text: string): Result<z.infer<typeof cardFile>, CliFailure> {
  // The message does not quote the text, which contains a card number.
  const wrong = usage("The card file is not right: see `tillkit orders pay-out-refund --help`.");
  try {
    const parsed = cardFile.safeParse(JSON.parse(text));
    return parsed.success ? ok(parsed.data) : err(wrong);
  } catch {
    return err(wrong);
  }
}
