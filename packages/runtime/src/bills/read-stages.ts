import type { BillLine, WalletUnknown } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";

/** What the next line of a bill must be: reads it, or says what is wrong with it. */
export type Stage = (text: string) => Result<Step, string>;

/** What reading one line came to. */
export interface Step {
  /** The movement of money that it states, if it states one. */
  readonly line?: BillLine;
  readonly next: Stage;
  /** Whether the bill may end here. */
  readonly last?: boolean;
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
export async function* readStages(
  texts: AsyncIterable<string | undefined>,
  first: Stage,
): AsyncGenerator<Result<BillLine, WalletUnknown>> {
  let step: Step = { next: first };
  let at = 0;
  for await (const text of texts) {
    at += 1;
    if (text === "") continue;
    const read: Result<Step, string> = text === undefined ? err("it is too long") : step.next(text);
    if (read.isErr()) {
      yield err(badBill(`line ${at}: ${read.error}`));
      return;
    }
    step = read.value;
    if (step.line !== undefined) yield ok(step.line);
  }
  if (step.last !== true) yield err(badBill(`it breaks off after line ${at}`));
}
