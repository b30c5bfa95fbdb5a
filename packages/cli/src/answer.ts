import stringWidth from "string-width";
import { failureText, isColoured } from "./colour.js";
import type { Io } from "./io.js";
import { type CliFailure, EXIT_CODES } from "./failure.js";
import type { ResultAsync } from "neverthrow";
import { visible, visibleLine } from "@tillkit/core/text";

/** The outcome of a command, for programs and for people. */
export interface CommandResult {
  /** The document that `--json` prints. */
  readonly data: unknown;
  /** The same outcome as text for a person. */
  readonly text: string;
  /** Whether something in the outcome needs attention. The program then exits with 1. */
  readonly finding?: boolean;
  /**
   * Whether a wallet left part of the outcome unknown. Without a finding, the program exits with 5.
   */
  readonly unanswered?: boolean;
  /** Whether the outcome goes to standard error, because standard output has what was exported. */
  readonly toStderr?: boolean;
}

/** Prints the outcome of a command and returns the exit code. With `json`, prints one document. */
export async function printOutcome(
  io: Io,
  json: boolean,
  work: ResultAsync<CommandResult, CliFailure>,
): Promise<number> {
  return (await work).match(
    ({ data, text, finding = false, unanswered = false, toStderr = false }) => {
      (toStderr ? io.stderr : io.stdout).write(json ? document(data) : ended(visible(text)));
      if (finding) return EXIT_CODES.refused;
      return unanswered ? EXIT_CODES.unknown : EXIT_CODES.ok;
    },
    (failure) => printFailure(io, json, failure),
  );
}

/**
 * Prints why a command failed and returns the exit code.
 *
 * Writes to standard output if `json` is set, unless standard output has what was exported.
 * Otherwise writes to standard error.
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

/**
 * Formats rows under their titles, each column as wide as its widest cell on a terminal.
 *
 * A Chinese character counts as two columns.
 */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((row) =>
    row.map(visibleLine).map((text) => ({ text, width: stringWidth(text) })),
  );
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.width ?? 0)));
  const padded = (
    { text, width }: { readonly text: string; readonly width: number },
    column: number,
  ): string => text + " ".repeat((widths[column] ?? width) - width);
  return lines.map((cells) => cells.map(padded).join("  ").trimEnd()).join("\n");
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
