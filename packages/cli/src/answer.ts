import stringWidth from "string-width";
import type { Io } from "./io.js";
import { type CliFailure, EXIT_CODES } from "./failure.js";
import type { ResultAsync } from "neverthrow";
import { visible, visibleLine } from "./visible.js";

/** What a command found out or did, for programs and for people. */
export interface Answer {
  /** The document that `--json` prints. */
  readonly data: unknown;
  /** The same for a person. */
  readonly text: string;
  /** Whether something in it needs attention: then the program ends with 1. */
  readonly finding?: boolean;
  /** Whether a wallet left something of it open: then, without a finding, the program ends with 5. */
  readonly unanswered?: boolean;
}

/** Prints the outcome of a command, one document with `json`, and gives the exit code. */
export async function tell(io: Io, json: boolean, work: ResultAsync<Answer, CliFailure>): Promise<number> {
  return (await work).match(
    ({ data, text, finding = false, unanswered = false }) => {
      io.stdout.write(json ? document(data) : ended(visible(text)));
      if (finding) return EXIT_CODES.refused;
      return unanswered ? EXIT_CODES.unknown : EXIT_CODES.ok;
    },
    (failure) => tellFailure(io, json, failure),
  );
}

/** Prints why a command did nothing and gives the exit code: to standard output with `json`, to standard error otherwise. */
export function tellFailure(io: Io, json: boolean, { name, message, ending }: CliFailure): number {
  if (json) io.stdout.write(document({ error: { name, message, exitCode: EXIT_CODES[ending] } }));
  else io.stderr.write(`${visible(message)}\n`);
  return EXIT_CODES[ending];
}

/** Rows under their titles, each column as wide as it needs on a terminal, where a Chinese character takes the room of two letters. */
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

/** A time as people read it, UTC; a dash for none. */
export function timeText(time: number | undefined): string {
  return time === undefined ? "-" : new Date(time).toISOString();
}

function document(data: unknown): string {
  return `${visible(JSON.stringify(data, undefined, 2))}\n`;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
