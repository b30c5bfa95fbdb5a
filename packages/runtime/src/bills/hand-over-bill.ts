import { type BillLine, type BillTotals, EMPTY_BILL, tallyLines } from "@tillkit/core";
import { err, ok, type Result, type ResultAsync } from "neverthrow";

/** Lines that are handed over at once. */
const PORTION = 500;

/**
 * Hands the lines of a bill on in portions, in their order, and counts them. No more than one portion is held, and the next line is asked for
 * when the portion before it was taken. The first failure, of a line or of `take`, ends it.
 */
export async function handOverBill<E, F>(
  lines: AsyncIterable<Result<BillLine, F>> | Iterable<Result<BillLine, F>>,
  take: (lines: readonly BillLine[]) => ResultAsync<void, E>,
): Promise<Result<BillTotals, E | F>> {
  let totals = EMPTY_BILL;
  let portion: BillLine[] = [];
  for await (const line of lines) {
    if (line.isErr()) return err(line.error);
    portion.push(line.value);
    if (portion.length < PORTION) continue;
    totals = tallyLines(totals, portion);
    const taken = await take(portion);
    if (taken.isErr()) return err(taken.error);
    portion = [];
  }
  if (portion.length === 0) return ok(totals);
  return (await take(portion)).map(() => tallyLines(totals, portion));
}
