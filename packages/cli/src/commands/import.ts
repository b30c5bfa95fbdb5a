import { importOrders, type ImportOutcome, type Policy, type Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { openInput } from "../input-file.js";
import type { Io } from "../io.js";
import { type OrderLine, orderLines } from "../order-lines.js";
import { withPorts } from "../ports.js";
import { importProgress } from "../progress.js";
import { fileFailure } from "../read-text.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

/** How many problems the answer repeats. Every problem is printed on standard error. */
const SHOWN = 20;

const FILE_HELP = `
The file has one JSON object per line. Amounts are cents, times are epoch milliseconds:
  appId, bizNo, customerIdentity, amount, goodsTitle   as in POST /order.json; the app must exist
  id               the order's number at the wallet (out_trade_no), unique
  payChannel       WALLET_A or WALLET_B
  paymentStatus    PENDING, PAID, CLOSE or REFUND
  gmtCreate, gmtModified
  pmtDt            when the customer paid; for PAID and REFUND only
  refundedAmount   0 for PENDING and CLOSE, less than amount for PAID, 1 to amount for REFUND; default 0
  customerName, paySource (default APP), attachData (text), sourceFrom, walletTradeNo   optional`;

/** Creates `tillkit import`, which imports the records of another service. */
export function importCommand({ io, report }: Context) {
  const orders = keyedCommand("orders")
    .description(
      "Import orders of another service as records. Importing a file again changes nothing, and several imports may run at the same time. No wallet is queried about an imported order, unless you run `tillkit orders sync`. Every wrong line is printed with its number, and all other lines are imported. Exits with 1 if a line is wrong.",
    )
    .argument("<file>", "the JSON Lines file, - for standard input")
    .requiredOption("--operator <name>", "the operator's name, stored in the timeline of each order")
    .option("--dry-run", "check every line and import nothing")
    .addHelpText("after", FILE_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit import orders orders.jsonl --operator kim --dry-run",
        "zcat orders.jsonl.gz | tillkit import orders - --operator kim",
      ),
    )
    .action((file, { operator, dryRun = false, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          openInput(io, file).andThen((input) => {
            const progress = importProgress(io, input, { bar: options.json !== true, unit: "lines" });
            const batches = progress.over(orderLines(input, ports.policy));
            return new ResultAsync(importAll(io, ports, batches, { operator, dryRun }))
              .andTee(() => progress.stop())
              .orTee(() => progress.stop());
          }),
        ),
      ),
    );

  return groupCommand("import").description("Import the records of another service.").addCommand(orders);
}

async function importAll(
  { stderr }: Io,
  ports: Pick<Ports, "apps" | "orders" | "clock"> & { readonly policy: Policy },
  batches: AsyncIterable<readonly OrderLine[]>,
  options: { readonly operator: string; readonly dryRun: boolean },
): Promise<Result<CommandResult, CliFailure>> {
  const counts = { imported: 0, unchanged: 0 };
  const problems = { total: 0, first: new Array<{ readonly line: number; readonly message: string }>() };
  const complain = (line: number, message: string): void => {
    problems.total += 1;
    if (problems.first.length < SHOWN) problems.first.push({ line, message });
    stderr.write(`line ${line}: ${message}\n`);
  };
  try {
    for await (const lines of batches) {
      const good = lines.flatMap((one) => ("order" in one ? [one] : []));
      const wrong = new Map<number, string>();
      for (const one of lines) if ("problem" in one) wrong.set(one.line, one.problem);
      const result: Result<readonly ImportOutcome[], StorageFailure> = await importOrders(
        ports,
        good.map(({ order }) => order),
        options,
      );
      if (result.isErr()) return err(coreFailure(result.error));
      for (const [index, answer] of result.value.entries()) {
        const problem = problemOf(answer);
        if (problem !== undefined) wrong.set(good[index]?.line ?? 0, problem);
        if (answer.outcome === "imported" || answer.outcome === "unchanged") counts[answer.outcome] += 1;
      }
      for (const [line, message] of [...wrong].sort(([left], [right]) => left - right))
        complain(line, message);
    }
  } catch (error) {
    return err(fileFailure(error));
  }
  const verb = options.dryRun ? "would be imported" : "imported";
  return ok({
    data: { ...counts, dryRun: options.dryRun, problems },
    text: `${counts.imported} orders ${verb}, ${counts.unchanged} were there already, ${problems.total} lines are wrong.`,
    finding: problems.total > 0,
  });
}

function problemOf(answer: ImportOutcome): string | undefined {
  switch (answer.outcome) {
    case "imported":
    case "unchanged":
      return undefined;
    case "unknown-app":
      return "the app does not exist: register it with `tillkit apps create --app-id`";
    case "forbidden-identity":
      return "the customerIdentity looks like personal data, which the app must not send: see `tillkit apps set`";
    case "conflict":
      return answer.reason === "id-taken"
        ? "another order has this id; nothing was changed"
        : "an order with this bizNo is stored with other values; it was not changed";
  }
}
