/** How many movements a fund-flow bill has each way, and what they add up to in cents, positive. */
export interface WaySums {
  readonly income: { count: number; amount: number };
  readonly expense: { count: number; amount: number };
}

/** Running totals of a fund-flow bill, over all its files. */
export interface FlowBook {
  readonly sums: WaySums;
  /** What the closing lines of the files state for movements that could not be read. */
  readonly left: WaySums;
  /** Files with movements. */
  details: number;
  /** What the file with the sums states, if the bill has one. */
  summary: WaySums | undefined;
}

/** Sums of nothing. */
export function noFlow(): WaySums {
  return { income: { count: 0, amount: 0 }, expense: { count: 0, amount: 0 } };
}

/** The book of a fund-flow bill that was not read yet. */
export function openFlowBook(): FlowBook {
  return { sums: noFlow(), left: noFlow(), details: 0, summary: undefined };
}

/** Why a fund-flow bill that was read to its end is not complete, if it is not. */
export function flowDisagreement({ sums, left, details, summary }: FlowBook): string | undefined {
  if (details === 0) return "it has no file with movements";
  // The closing lines of the movements state the same counts and sums.
  if (summary === undefined) return undefined;
  const agrees = (["income", "expense"] as const).every(
    (way) =>
      summary[way].count === sums[way].count + left[way].count &&
      summary[way].amount === sums[way].amount + left[way].amount,
  );
  return agrees ? undefined : "its movements do not add up to its sums";
}
