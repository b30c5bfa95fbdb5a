/** Number and sum of incoming and outgoing movements. Sums are positive cents. */
export interface DirectionSums {
  readonly income: { count: number; amount: number };
  readonly expense: { count: number; amount: number };
}

/** Running totals of a fund-flow bill, across all its files. */
export interface FlowAccumulator {
  readonly sums: DirectionSums;
  /**
   * Counts and sums of unreadable movements: the totals in the files minus the readable movements.
   */
  readonly left: DirectionSums;
  /** Number of files with movements. */
  details: number;
  /** The contents of the summary file, if the bill has one. */
  summary: DirectionSums | undefined;
}

/** Returns empty totals. */
export function emptyFlowSums(): DirectionSums {
  return { income: { count: 0, amount: 0 }, expense: { count: 0, amount: 0 } };
}

/** Creates the running totals of an empty fund-flow bill. */
export function createFlowAccumulator(): FlowAccumulator {
  return { sums: emptyFlowSums(), left: emptyFlowSums(), details: 0, summary: undefined };
}

/** Returns why a fund-flow bill is incomplete or inconsistent, or `undefined` if it is neither. */
export function flowInconsistency({ sums, left, details, summary }: FlowAccumulator): string | undefined {
  if (details === 0) return "it has no file with movements";
  // The summary file is optional: the lines after the movements state the same totals.
  if (summary === undefined) return undefined;
  const agrees = (["income", "expense"] as const).every(
    (way) =>
      summary[way].count === sums[way].count + left[way].count &&
      summary[way].amount === sums[way].amount + left[way].amount,
  );
  return agrees ? undefined : "its movements do not add up to its totals";
}
