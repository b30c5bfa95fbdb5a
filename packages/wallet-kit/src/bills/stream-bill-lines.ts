import {
  type BillEntry,
  type BillTotals,
  EMPTY_BILL,
  EMPTY_FLOW,
  type FlowEntry,
  type FlowTotals,
  tallyFlow,
  tallyLines,
} from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";

/** Number of lines in one batch. */
const PORTION = 500;

type Lines<L, F> = AsyncIterable<Result<L, F>> | Iterable<Result<L, F>>;

/**
 * Passes the lines of a trade bill to `take` in batches of 500, in order, and returns the totals.
 *
 * The function holds at most one batch. It reads the next line only after `take` has accepted the
 * previous batch. It stops at the first failure, of a line or of `take`.
 */
export async function streamBillLines<E, F>(
  lines: Lines<BillEntry, F>,
  take: (lines: readonly BillEntry[]) => ResultAsync<void, E>,
): Promise<Result<BillTotals, E | F>> {
  return streamLines(lines, take, EMPTY_BILL, tallyLines);
}

/**
 * Passes the lines of a fund-flow bill to `take`, as {@link streamBillLines} does for a trade bill.
 */
export async function streamFlowLines<E, F>(
  lines: Lines<FlowEntry, F>,
  take: (lines: readonly FlowEntry[]) => ResultAsync<void, E>,
): Promise<Result<FlowTotals, E | F>> {
  return streamLines(lines, take, EMPTY_FLOW, tallyFlow);
}

async function streamLines<L, T, E, F>(
  lines: Lines<L, F>,
  take: (lines: readonly L[]) => ResultAsync<void, E>,
  none: T,
  tally: (totals: T, lines: readonly L[]) => T,
): Promise<Result<T, E | F>> {
  let totals = none;
  let portion: L[] = [];
  for await (const line of lines) {
    if (line.isErr()) return err(line.error);
    portion.push(line.value);
    if (portion.length < PORTION) continue;
    totals = tally(totals, portion);
    const taken = await take(portion);
    if (taken.isErr()) return err(taken.error);
    portion = [];
  }
  if (portion.length === 0) return ok(totals);
  return (await take(portion)).map(() => tally(totals, portion));
}
