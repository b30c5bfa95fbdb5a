import {
  type CustomerErasure,
  type CustomerRef,
  eraseCustomer,
  exportCustomer,
  findErasures,
  previewErasure,
  type RecordedErasure,
} from "@tillkit/core/operators";
import type { InFlightReason } from "@tillkit/core/ports";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { type CommandResult, table, timeText } from "../answer.js";
import { auditedCommand, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { detachCommand, mergeCommand, moveCommand, numberOf } from "./customer-numbers.js";
import { EXPORT_FILE_ARGUMENT, exportTo } from "../export-file.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { withPorts } from "../ports.js";
import { readText } from "../read-text.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";

/** The option that names the app of a customer. */
export const CUSTOMER_APP = ["--app <app-id>", "the app of the customer"] as const;
/** The option that names a customer by phone number. */
export const CUSTOMER_PHONE = [
  "--phone <number>",
  "the customer's phone number, or - for standard input: other users of this machine can see an argument",
] as const;
/** The option that names a customer by id. */
export const CUSTOMER_IDENTITY = [
  "--identity <id>",
  "the customerIdentity, or the customerId of an SMS login",
] as const;
const CONFIRM = ["--confirm", "erase; without it, the command only prints what would be removed"] as const;

/** The options that name a customer, as the user typed them. */
export interface CustomerOptions {
  readonly phone?: string | undefined;
  readonly identity?: string | undefined;
}

/** Creates `tillkit customers`, which answers a customer's request for access or erasure. */
export function customersCommand({ io, report }: Context) {
  const exporting = changingCommand("export")
    .description(
      "Write what is stored about a customer to a file, as one JSON document: orders, refunds, timelines, services, sessions, codes and entries of the audit log. Only the owner can read the file. It contains no hash and no operator's name.",
    )
    .argument(EXPORT_FILE_ARGUMENT[0], "the JSON file to write, - for standard output")
    .requiredOption(...CUSTOMER_APP)
    .option(...CUSTOMER_PHONE)
    .option(...CUSTOMER_IDENTITY)
    .addHelpText(
      "after",
      examples(
        "tillkit customers export customer.json --app app_1 --identity user-7",
        "echo 13800138000 | tillkit customers export customer.json --app app_1 --phone -",
      ),
    )
    .action((file, { app, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          refOf(io, options).andThen((ref) =>
            withPorts(io, options, (ports) =>
              exportCustomer(ports, app, ref)
                .mapErr(coreFailure)
                .andThen((data) => {
                  const subject = `customer:${app}/${data.customerIdentities[0] ?? ""}`;
                  const facts = { action: "customer.export", subject, appId: app } as const;
                  return auditedCommand(ports, by, facts, () =>
                    exportTo(io, file, "customers", JSON.stringify, (after) =>
                      okAsync(after === undefined ? [data] : []),
                    ),
                  );
                }),
            ),
          ),
        ),
      ),
    );

  const erase = changingCommand("erase")
    .description(
      "Erase what is personal about a customer, and keep the record of the money. Removes the phone number's hash, codes, counters and sessions, and from the orders customerName, attachData, the id at the wallet, the options of the wallet request and what operators wrote about them, their refunds and their differences to bills. Amounts, numbers, times, services and the identity stay. Without --confirm, it only prints what would be removed. Repeat it after an interruption. Exits with 1 if orders have not ended: they keep their texts, so repeat the command when they have ended.",
    )
    .requiredOption(...CUSTOMER_APP)
    .option(...CUSTOMER_PHONE)
    .option(...CUSTOMER_IDENTITY)
    .option(...CONFIRM)
    .addHelpText(
      "after",
      examples(
        "tillkit customers erase --app app_1 --identity user-7",
        'tillkit customers erase --app app_1 --identity user-7 --operator kim --reason "request 42" --confirm',
      ),
    )
    .action(({ app, confirm, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          refOf(io, options).andThen((ref) =>
            withPorts(io, options, (ports) =>
              (confirm === true ? eraseCustomer(ports, app, ref, by) : previewErasure(ports, app, ref))
                .mapErr(coreFailure)
                .map((erasure) => erasureAnswer(erasure, confirm === true)),
            ),
          ),
        ),
      ),
    );

  const erased = keyedCommand("erased")
    .description(
      "List the erasures that the audit log contains, newest first. Keep the output of --json apart from the database: `tillkit customers erase-again` reads it after a restore. With --phone or --identity, it shows whether this customer was erased, and exits with 1 if not.",
    )
    .requiredOption(...CUSTOMER_APP)
    .option(...CUSTOMER_PHONE)
    .option(...CUSTOMER_IDENTITY)
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit customers erased --app app_1 --json > erased.json"))
    .action(({ app, ...options }) =>
      report(
        options,
        optionalRefOf(io, options).andThen((ref) =>
          withPorts(io, options, (ports) =>
            findErasures(ports, app, ref)
              .mapErr(coreFailure)
              .map((erasures) => ({
                data: { erasures },
                text: table(["ERASED", "CUSTOMER", "OPERATOR", "REASON"], erasures.map(rowOf)),
                finding: ref !== undefined && erasures.length === 0,
              })),
          ),
        ),
      ),
    );

  const again = changingCommand("erase-again")
    .description(
      "Erase again, after the restore of a backup, the customers in a list that `tillkit customers erased --json` printed. Exits with 1 if orders have not ended, and so keep their texts.",
    )
    .argument("<file>", "the list, - for standard input")
    .addHelpText("after", examples("tillkit customers erase-again erased.json --operator kim"))
    .action((file, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          readText(io, file)
            .andThen(listOf)
            .andThen((list) =>
              withPorts(io, options, (ports) =>
                eachErasure(list, ({ appId, customerIdentity }) =>
                  eraseCustomer(ports, appId, { customerIdentity }, by).mapErr(coreFailure),
                ),
              ),
            ),
        ),
      ),
    );

  return groupCommand("customers")
    .description(
      "Answer a customer's request for access to the stored data, or for its erasure, and detach, replace or merge phone numbers.",
    )
    .addCommand(exporting)
    .addCommand(erase)
    .addCommand(erased)
    .addCommand(again)
    .addCommand(detachCommand({ io, report }))
    .addCommand(moveCommand({ io, report }))
    .addCommand(mergeCommand({ io, report }));
}

/** Returns the customer that the options name. Reads the number from standard input for `-`. */
export function refOf(io: Pick<Io, "stdin">, options: CustomerOptions): ResultAsync<CustomerRef, CliFailure> {
  return optionalRefOf(io, options).andThen((ref) =>
    ref === undefined ? err(usage("Set either --phone or --identity.")) : ok(ref),
  );
}

function optionalRefOf(
  io: Pick<Io, "stdin">,
  { phone, identity }: CustomerOptions,
): ResultAsync<CustomerRef | undefined, CliFailure> {
  if (phone !== undefined && identity !== undefined)
    return errAsync(usage("Set either --phone or --identity, not both."));
  if (identity !== undefined) return okAsync({ customerIdentity: identity });
  if (phone === undefined) return okAsync(undefined);
  return numberOf(io, phone).map((mobileNo) => ({ mobileNo }));
}

const listSchema = z.object({
  erasures: z.array(z.object({ appId: z.string(), customerIdentity: z.string() })),
});
type ErasureList = z.output<typeof listSchema>["erasures"];

/**
 * Reads the list. Omits erasures of a phone number without a customer, which need no repetition.
 */
function listOf(json: string): Result<ErasureList, CliFailure> {
  const wrong = usage("The file is no list that `tillkit customers erased --json` printed.");
  try {
    const read = listSchema.safeParse(JSON.parse(json));
    return read.success
      ? ok(read.data.erasures.filter(({ customerIdentity }) => customerIdentity !== ""))
      : err(wrong);
  } catch {
    return err(wrong);
  }
}

function eachErasure(
  list: ErasureList,
  eraseOne: (erasure: ErasureList[number]) => ResultAsync<CustomerErasure, CliFailure>,
): ResultAsync<CommandResult, CliFailure> {
  const run = async (): Promise<Result<CommandResult, CliFailure>> => {
    const results: CustomerErasure[] = [];
    for (const erasure of list) {
      const done = await eraseOne(erasure);
      if (done.isErr()) return err(done.error);
      results.push(done.value);
    }
    const inFlight = results.flatMap((one) => one.inFlight);
    return ok({
      data: { customers: results.length, inFlight },
      text: [`Customers erased again: ${results.length}.`, ...inFlightLines(inFlight)],
      finding: inFlight.length > 0,
    });
  };
  return new ResultAsync(run());
}

const IN_FLIGHT_TEXTS: Readonly<Record<InFlightReason, string>> = {
  "payment-open": "a payment is open",
  "shipment-open": "the delivery is not reported to the wallet",
  "refund-open": "a refund is open",
  "approval-open": "a refund waits for a decision",
  "events-undelivered": "an event is not delivered",
};

function erasureAnswer(erasure: CustomerErasure, isDone: boolean): CommandResult {
  const { phones, codes, counters, sessions, orders, texts, notes, inFlight, customerIdentities } = erasure;
  const rows = [
    ["phone numbers", phones],
    ["codes", codes],
    ["SMS counters", counters],
    ["sessions", sessions],
    ["orders", orders],
    ["- customerName", texts.customerName],
    ["- attachData", texts.attachData],
    ["- ids at the wallet", texts.payerId],
    ["- options of the request", texts.walletOptions],
    ["- texts of operators", texts.reasons],
    ["notes about differences of bills", notes],
  ] as const;
  const head = isDone ? "Erased." : "Nothing was erased. Set --confirm to erase:";
  const names = customerIdentities.length === 0 ? "" : `\n\nCustomer: ${customerIdentities.join(", ")}`;
  const counts = table(
    [isDone ? "ERASED" : "TO ERASE", "COUNT"],
    rows.map(([what, n]) => [what, String(n)]),
  );
  return {
    data: { erased: isDone, erasure },
    text: [`${head}${names}\n`, counts, ...inFlightLines(inFlight)],
    finding: isDone && inFlight.length > 0,
  };
}

function inFlightLines(inFlight: CustomerErasure["inFlight"]): readonly string[] {
  if (inFlight.length === 0) return [];
  const lines = inFlight.map(
    ({ bizNo, because }) => `  ${bizNo}: ${because.map((reason) => IN_FLIGHT_TEXTS[reason]).join(", ")}`,
  );
  return [
    "\nThese orders keep their texts for now. Repeat the command with --identity when they have ended:",
    ...lines,
  ];
}

function rowOf({ at, customerIdentity, operator, reason }: RecordedErasure): readonly string[] {
  return [timeText(at), customerIdentity, operator, reason];
}
