import { createHash } from "node:crypto";
import type { WalletUnknown } from "@tillkit/core";
import type { BillLine, LineNumbers, UnreadableLine } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";

/** Reads the next line of a bill. An error makes the whole bill invalid. */
export type ParseState<L> = (text: string) => Result<ParsedLine<L>, string>;

/** The result of reading one line. */
export interface ParsedLine<L> {
  /** The bill lines in this line of text, if it contains any. */
  readonly lines?: readonly L[];
  /** Set if the line cannot be read but the rest of the bill still can. */
  readonly unreadable?: InvalidLine;
  readonly next: ParseState<L>;
  /** Whether the bill may end after this line. */
  readonly last?: boolean;
}

/**
 * A line that cannot be read.
 *
 * The `problem` contains no text of the line. `numbers` contains only numbers that are certain.
 */
export interface InvalidLine {
  readonly problem: string;
  /** The kind of the line, if it is certain. */
  readonly lineKind?: BillLine["kind"] | undefined;
  readonly numbers: LineNumbers;
}

/**
 * Returns the failure for a bill that is inconsistent, incomplete or unreadable.
 *
 * The caller must not conclude anything from such a bill.
 */
export function invalidBill(problem: string): WalletUnknown {
  return {
    name: "wallet.unknown",
    cause: "unverified",
    detail: `the bill is invalid: ${problem}`,
  };
}

/**
 * Reads a bill line by line, starting with the state `first`. Skips empty lines.
 *
 * Yields a failure and stops if a state rejects a line, or if the text ends where the bill may not
 * end.
 */
export async function* parseLines<L>(
  texts: AsyncIterable<string>,
  first: ParseState<L>,
): AsyncGenerator<Result<L | UnreadableLine, WalletUnknown>> {
  let step: ParsedLine<L> = { next: first };
  let at = 0;
  for await (const text of texts) {
    at += 1;
    if (text === "") continue;
    const read = step.next(text);
    if (read.isErr()) {
      yield err(invalidBill(`line ${at}: ${read.error}`));
      return;
    }
    step = read.value;
    for (const line of step.lines ?? []) yield ok(line);
    if (step.unreadable !== undefined) yield ok(unreadableLine(at, text, step.unreadable));
  }
  if (step.last !== true) yield err(invalidBill(`it ends early, after line ${at}`));
}

function unreadableLine(
  at: number,
  text: string,
  { problem, lineKind, numbers }: InvalidLine,
): UnreadableLine {
  const digest = createHash("sha256").update(text).digest("hex");
  const known = lineKind === undefined ? numbers : { lineKind, ...numbers };
  return { kind: "unreadable", at, digest, problem, ...known };
}
