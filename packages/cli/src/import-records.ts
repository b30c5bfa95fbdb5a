import type { ImportOutcome } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "./answer.js";
import { visibleLine } from "@tillkit/core/text";
import { type CliFailure, coreFailure } from "./failure.js";
import type { Io } from "./io.js";
import type { JsonLine } from "./json-lines.js";
import { fileFailure } from "./read-text.js";

/** The number of problems in the result. Standard error gets every problem. */
const SHOWN = 20;

/** How the records of a file are imported. */
export interface RecordImport<T> {
  /** The plural of the record, such as `orders`. */
  readonly records: "orders" | "services" | "customers";
  readonly dryRun: boolean;
  readonly importBatch: (records: readonly T[]) => ResultAsync<readonly ImportOutcome[], StorageFailure>;
}

/**
 * Imports all valid lines, prints the number and the problem of every wrong line, and counts both.
 *
 * If the storage or the file fails, the imported records stay stored. Run the command again to
 * import the rest.
 */
export function importRecords<T>(
  io: Pick<Io, "stderr">,
  batches: AsyncIterable<readonly JsonLine<T>[]>,
  options: RecordImport<T>,
): ResultAsync<CommandResult, CliFailure> {
  return new ResultAsync(importAll(io, batches, options));
}

async function importAll<T>(
  { stderr }: Pick<Io, "stderr">,
  batches: AsyncIterable<readonly JsonLine<T>[]>,
  { records, dryRun, importBatch }: RecordImport<T>,
): Promise<Result<CommandResult, CliFailure>> {
  const counts = { imported: 0, unchanged: 0, connected: 0 };
  const first = new Array<{ readonly line: number; readonly message: string }>();
  let total = 0;
  const reportProblem = (line: number, message: string): void => {
    total += 1;
    if (first.length < SHOWN) first.push({ line, message });
    stderr.write(`${visibleLine(`line ${line}: ${message}`)}\n`);
  };
  try {
    for await (const lines of batches) {
      const good = lines.flatMap((one) => ("record" in one ? [one] : []));
      const result = await importBatch(good.map(({ record }) => record));
      if (result.isErr()) return err(coreFailure(result.error));
      const outcomes = new Map(good.map(({ line }, index) => [line, result.value[index]]));
      for (const one of lines) {
        const outcome = outcomes.get(one.line);
        const problem = "problem" in one ? one.problem : problemOf(outcome);
        if (problem !== undefined) reportProblem(one.line, problem);
        else if (outcome !== undefined && isCounted(outcome)) counts[outcome.outcome] += 1;
      }
    }
  } catch (error) {
    return err(fileFailure(error));
  }
  const { imported, connected, unchanged } = counts;
  const added = dryRun ? `Would import ${records}` : `Imported ${records}`;
  const linked = connected === 0 ? "" : `, ${dryRun ? "would connect" : "connected"}: ${connected}`;
  return ok({
    data: { ...counts, dryRun, problems: { total, first } },
    text: `${added}: ${imported}${linked}, already stored: ${unchanged}, wrong lines: ${total}.`,
    finding: total > 0,
  });
}

type Counted = Extract<ImportOutcome, { readonly outcome: "imported" | "unchanged" | "connected" }>;

function isCounted(answer: ImportOutcome): answer is Counted {
  const { outcome } = answer;
  return outcome === "imported" || outcome === "unchanged" || outcome === "connected";
}

function problemOf(answer: ImportOutcome | undefined): string | undefined {
  switch (answer?.outcome) {
    case undefined:
    case "imported":
    case "unchanged":
    case "connected":
      return undefined;
    case "unknown-app":
      return "the app does not exist: register it with `tillkit apps create --app-id`";
    case "no-pay-tool":
      return "the app has no pay tool of this payChannel: store it with `tillkit pay-tools set`";
    case "unknown-pepper":
      return "the phoneHash belongs to another pepper: use the key file of the host that exported it";
    case "future-time":
      return `${answer.member} is in the future: write epoch milliseconds, or correct the clock of this machine`;
    case "wrong-number":
      return "the mobileNo is not a phone number";
    case "forbidden-identity":
      return "the customer's identity looks like personal data or equals the bizNo, which the app must not send: see `tillkit apps set`";
    case "conflict":
      return answer.reason === "id-taken"
        ? "another order has this id: correct the file, because each order at a wallet has its own id"
        : "a record with this key is already stored with other values; the stored record stays unchanged";
  }
}
