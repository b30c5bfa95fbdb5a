import { yuanText } from "@tillkit/core";
import { CSV_START, csvLine, moneyText, readable } from "@tillkit/core/operators";
import stringWidth from "string-width";
import { failureText, isColoured } from "./colour.js";
import type { Io } from "./io.js";
import { type CliFailure, EXIT_CODES, usage } from "./failure.js";
import type { ResultAsync } from "neverthrow";
import { visible, visibleLine } from "@tillkit/core/text";

/** An amount in a table. */
export interface Money {
  readonly cents: number;
}

/** Rows under their titles. `-` is an empty cell. */
export interface Table {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly (string | Money)[])[];
  /** The text that replaces a table without rows. */
  readonly none?: string;
}

/** How the outcome of a command is printed. */
export interface PrintOptions {
  /** Prints one JSON document, for programs. */
  readonly json?: true | undefined;
  /** Prints the table of a list as CSV, for a spreadsheet. Other texts go to standard error. */
  readonly csv?: true | undefined;
}

/** The outcome of a command, for programs and for people. */
export interface CommandResult {
  /** The document that `--json` prints. */
  readonly data: unknown;
  /** The same outcome for a person: texts and tables, each on lines of its own. */
  readonly text: string | Table | readonly (string | Table)[];
  /** Whether something in the outcome needs attention. The program then exits with 1. */
  readonly finding?: boolean;
  /**
   * Whether part of the outcome is unknown because a wallet did not answer.
   *
   * The program then exits with 5, unless there is a finding.
   */
  readonly unanswered?: boolean;
  /** Whether the outcome goes to standard error, because an export went to standard output. */
  readonly toStderr?: boolean;
}

/** Prints the outcome of a command and returns the exit code. */
export async function printOutcome(
  io: Io,
  { json = false, csv = false }: { readonly json?: boolean | undefined; readonly csv?: boolean | undefined },
  work: ResultAsync<CommandResult, CliFailure>,
): Promise<number> {
  if (json && csv) return printFailure(io, json, usage("Use one of --json and --csv."));
  return (await work).match(
    ({ data, text, finding = false, unanswered = false, toStderr = false }) => {
      if (csv) printCsv(io, partsOf(text));
      else (toStderr ? io.stderr : io.stdout).write(json ? document(data) : ended(visible(plainText(text))));
      if (finding) return EXIT_CODES.refused;
      return unanswered ? EXIT_CODES.unknown : EXIT_CODES.ok;
    },
    (failure) => printFailure(io, json, failure),
  );
}

/**
 * Prints why a command failed and returns the exit code.
 *
 * Writes to standard output if `json` is set, unless an export went to standard output. Otherwise
 * writes to standard error.
 */
export function printFailure(
  io: Io,
  json: boolean,
  { name, message, exitReason, toStderr = false }: CliFailure,
): number {
  if (json)
    (toStderr ? io.stderr : io.stdout).write(
      document({ error: { name, message, exitCode: EXIT_CODES[exitReason] } }),
    );
  else io.stderr.write(`${isColoured(io.stderr, io) ? failureText(visible(message)) : visible(message)}\n`);
  return EXIT_CODES[exitReason];
}

/** Creates a table. */
export function table(titles: Table["titles"], rows: Table["rows"], none?: string): Table {
  return { titles, rows, ...(none === undefined ? {} : { none }) };
}

/** Returns the outcome as text for a person. Each text and each table begins on a new line. */
export function plainText(text: CommandResult["text"]): string {
  return partsOf(text)
    .map((part) => (typeof part === "string" ? part : tableText(part)))
    .join("\n");
}

function partsOf(text: CommandResult["text"]): readonly (string | Table)[] {
  return typeof text === "string" || "rows" in text ? [text] : text;
}

/**
 * Formats rows under their titles, each column as wide as its widest cell on a terminal.
 *
 * A Chinese character counts as two columns.
 */
function tableText({ titles, rows, none }: Table): string {
  if (rows.length === 0 && none !== undefined) return none;
  const lines = [titles, ...rows].map((row) =>
    row
      .map((cell) => visibleLine(typeof cell === "string" ? cell : moneyText(cell.cents)))
      .map((text) => ({ text, width: stringWidth(text) })),
  );
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.width ?? 0)));
  const padded = (
    { text, width }: { readonly text: string; readonly width: number },
    column: number,
  ): string => text + " ".repeat((widths[column] ?? width) - width);
  return lines.map((cells) => cells.map(padded).join("  ").trimEnd()).join("\n");
}

/** Prints the tables as CSV. Amounts are yuan. */
function printCsv(io: Pick<Io, "stdout" | "stderr">, parts: readonly (string | Table)[]): void {
  io.stdout.write(CSV_START);
  for (const part of parts) {
    if (typeof part === "string") io.stderr.write(ended(visible(part)));
    else
      for (const row of [part.titles, ...part.rows])
        io.stdout.write(
          csvLine(
            row.map((cell) => {
              if (typeof cell !== "string") return readable(yuanText(cell.cents));
              return cell === "-" ? undefined : visibleLine(cell);
            }),
          ),
        );
  }
}

/** Formats a time (epoch milliseconds) as ISO 8601 in UTC, or as a dash if there is none. */
export function timeText(time: number | undefined): string {
  return time === undefined ? "-" : new Date(time).toISOString();
}

function document(data: unknown): string {
  return `${visible(JSON.stringify(data, undefined, 2))}\n`;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
