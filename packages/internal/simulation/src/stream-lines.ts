import type { WalletFailure } from "@tillkit/core";
import { type BillLine, type BillTotals, EMPTY_BILL, tallyLines } from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { Simulation } from "./simulation.js";

/** The ends of a download: complete, cut off with a failure, or cut off without a failure. */
const ENDS = ["whole", "whole", "whole", "cut off", "short"] as const;

/**
 * Passes the lines of a bill to `take` in small portions, like a download that may be cut off.
 *
 * @param totalsOf - computes the totals that the bill states for all its lines.
 */
export async function streamLines<L, T, E>(
  { choices, calm }: Simulation,
  lines: readonly L[],
  take: (lines: readonly L[]) => ResultAsync<void, E>,
  totalsOf: (lines: readonly L[]) => T,
): Promise<Result<T, WalletFailure | E>> {
  const end = calm || lines.length === 0 ? "whole" : (ENDS[choices.next(ENDS.length)] ?? "whole");
  const arrived = end === "whole" ? lines : lines.slice(0, choices.next(lines.length));
  const portion = 1 + choices.next(3);
  for (let at = 0; at < arrived.length; at += portion) {
    const taken = await take(arrived.slice(at, at + portion));
    if (taken.isErr()) return err(taken.error);
  }
  return end === "cut off" ? err(CUT_OFF) : ok(totalsOf(lines));
}

const CUT_OFF: WalletFailure = { name: "wallet.unknown", cause: "network", detail: "simulated" };

/** Returns the totals of a bill with these lines. */
export function totalsOf(lines: readonly BillLine[]): BillTotals {
  return tallyLines(EMPTY_BILL, lines);
}
