import { createHash } from "node:crypto";
import type { BillLine, LineNumbers, UnreadableLine, WalletUnknown } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";

/** What the next line of a bill must be: reads it, or returns why the whole bill is wrong. */
export type Stage<L> = (text: string) => Result<Step<L>, string>;

/** What reading one line came to. */
export interface Step<L> {
  /** What the line states, if it states anything. */
  readonly lines?: readonly L[];
  /** Why the line cannot be read, although the bill goes on. */
  readonly unreadable?: SpoiltLine;
  readonly next: Stage<L>;
  /** Whether the bill may end here. */
  readonly last?: boolean;
}

/** A line that cannot be read: the reason without any of its text, and its numbers as far as they are certain. */
export interface SpoiltLine {
  readonly problem: string;
  /** What the line states, if that is certain. */
  readonly lineKind?: BillLine["kind"] | undefined;
  readonly numbers: LineNumbers;
}

/** A bill that proves itself wrong, incomplete or not to be read. Nothing may be concluded from it. */
export function badBill(problem: string): WalletUnknown {
  return {
    name: "wallet.unknown",
    cause: "unverified",
    detail: `the bill cannot be believed: ${problem}`,
  };
}

/** Reads a bill line by line, beginning with `first`; empty lines count for nothing. It ends with a failure unless the bill ends where it may. */
export async function* readStages<L>(
  texts: AsyncIterable<string>,
  first: Stage<L>,
): AsyncGenerator<Result<L | UnreadableLine, WalletUnknown>> {
  let step: Step<L> = { next: first };
  let at = 0;
  for await (const text of texts) {
    at += 1;
    if (text === "") continue;
    const read = step.next(text);
    if (read.isErr()) {
      yield err(badBill(`line ${at}: ${read.error}`));
      return;
    }
    step = read.value;
    for (const line of step.lines ?? []) yield ok(line);
    if (step.unreadable !== undefined) yield ok(unreadableLine(at, text, step.unreadable));
  }
  if (step.last !== true) yield err(badBill(`it breaks off after line ${at}`));
}

function unreadableLine(
  at: number,
  text: string,
  { problem, lineKind, numbers }: SpoiltLine,
): UnreadableLine {
  const digest = createHash("sha256").update(text).digest("hex");
  const known = lineKind === undefined ? numbers : { lineKind, ...numbers };
  return { kind: "unreadable", at, digest, problem, ...known };
}
