import type { ImportConflict, ImportOutcome } from "@tillkit/core";
import { IDENTITY_RULES, type StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "./answer.js";
import { visibleLine } from "@tillkit/core/text";
import { moreProblems, openProblemReport, problemLine, type ProblemReport } from "./problem-report.js";
import type { ImportProgress } from "./progress.js";
import { type CliFailure, coreFailure } from "./failure.js";
import type { JsonLine } from "./json-lines.js";
import { fileFailure } from "./read-text.js";

/** How the records of a file are imported. */
export interface RecordImport<T> {
  /** The plural of the record, such as `orders`. */
  readonly records: "orders" | "services" | "customers";
  readonly dryRun: boolean;
  /** The file that gets the number and the problem of every wrong line. */
  readonly errors: string | undefined;
  readonly importBatch: (records: readonly T[]) => ResultAsync<readonly ImportOutcome[], StorageFailure>;
}

/**
 * Imports all valid lines, prints the number and the problem of the first wrong lines, and counts
 * both.
 *
 * If the storage or the file fails, the imported records stay stored. Run the command again to
 * import the rest.
 */
export function importRecords<T>(
  progress: Pick<ImportProgress, "print">,
  batches: AsyncIterable<readonly JsonLine<T>[]>,
  options: RecordImport<T>,
): ResultAsync<CommandResult, CliFailure> {
  return openProblemReport(options.errors).asyncAndThen(
    (problems) => new ResultAsync(importAll(progress, batches, options, problems)),
  );
}

async function importAll<T>(
  { print }: Pick<ImportProgress, "print">,
  batches: AsyncIterable<readonly JsonLine<T>[]>,
  { records, dryRun, importBatch }: RecordImport<T>,
  report: ProblemReport,
): Promise<Result<CommandResult, CliFailure>> {
  const counts = { imported: 0, unchanged: 0, connected: 0, replaced: 0 };
  const countsText = (wrong: number): string => {
    const added = dryRun ? `Would import ${records}` : `Imported ${records}`;
    const linked =
      counts.connected === 0 ? "" : `, ${dryRun ? "would connect" : "connected"}: ${counts.connected}`;
    const corrected =
      counts.replaced === 0 ? "" : `, ${dryRun ? "would replace" : "replaced"}: ${counts.replaced}`;
    return `${added}: ${counts.imported}${linked}${corrected}, already stored: ${counts.unchanged}, wrong lines: ${wrong}.`;
  };
  const failed = (problem: CliFailure): Result<CommandResult, CliFailure> => {
    const problems = report.end();
    const notes = [`Until the failure: ${countsText(problems.total)}`, ...moreProblems(problems)];
    if (!dryRun) notes.push("The last lines before it may be stored as well. Import the file again.");
    print(`${notes.map(visibleLine).join("\n")}\n`);
    return err(problem);
  };
  try {
    for await (const lines of batches) {
      const good = lines.flatMap((one) => ("record" in one ? [one] : []));
      const result = await importBatch(good.map(({ record }) => record));
      if (result.isErr()) return failed(coreFailure(result.error));
      const outcomes = new Map(good.map(({ line }, index) => [line, result.value[index]]));
      for (const one of lines) {
        const outcome = outcomes.get(one.line);
        const message = "problem" in one ? one.problem : problemOf(outcome);
        if (message !== undefined && report.report(one.line, message))
          print(`${problemLine({ line: one.line, message })}\n`);
        if (outcome !== undefined && isCounted(outcome)) counts[outcome.outcome] += 1;
      }
    }
  } catch (error) {
    return failed(fileFailure(error));
  }
  const problems = report.end();
  return ok({
    data: { ...counts, dryRun, problems },
    text: [...moreProblems(problems), countsText(problems.total)].join("\n"),
    finding: problems.total > 0,
  });
}

type Counted = Extract<
  ImportOutcome,
  { readonly outcome: "imported" | "unchanged" | "connected" | "replaced" }
>;

function isCounted(answer: ImportOutcome): answer is Counted {
  const { outcome } = answer;
  return (
    outcome === "imported" || outcome === "unchanged" || outcome === "connected" || outcome === "replaced"
  );
}

function problemOf(answer: ImportOutcome | undefined): string | undefined {
  switch (answer?.outcome) {
    case undefined:
    case "imported":
    case "unchanged":
    case "connected":
    case "replaced":
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
      return `the customer's identity must be an internal id: ${IDENTITY_RULES[answer.rule].en}, unless \`tillkit apps set\` allows it`;
    case "conflict":
      return CONFLICTS[answer.reason];
  }
}

const CONFLICTS: Readonly<Record<ImportConflict, string>> = {
  "id-taken": "another order has this id: correct the file, because each order at a wallet has its own id",
  "other-values":
    "a record with this key is already stored with other values; the stored record stays unchanged, unless --replace-untouched may replace it",
  "other-id":
    "the order with this key is already stored with another id, which cannot be replaced; the stored order stays unchanged",
  touched:
    "a record with this key is already stored with other values, and more than an import happened to it; the stored record stays unchanged",
};
