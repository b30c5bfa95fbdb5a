import type { BillLine, BillTotals, WalletFailure } from "@tillkit/core";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { World } from "./world.js";

/** What may come of a download: all of a bill, or a part of it and the news that it was cut off, or a part of it that looks whole. */
const ENDS = ["whole", "whole", "whole", "cut off", "short"] as const;

/** Gives the lines of a bill to whoever reads it, a few at a time, as a download that may be cut off. */
export async function handOver<E>(
  { tape, calm }: World,
  lines: readonly BillLine[],
  take: (lines: readonly BillLine[]) => ResultAsync<void, E>,
): Promise<Result<BillTotals, WalletFailure | E>> {
  const end = calm || lines.length === 0 ? "whole" : (ENDS[tape.next(ENDS.length)] ?? "whole");
  const arrived = end === "whole" ? lines : lines.slice(0, tape.next(lines.length));
  const portion = 1 + tape.next(3);
  for (let at = 0; at < arrived.length; at += portion) {
    const taken = await take(arrived.slice(at, at + portion));
    if (taken.isErr()) return err(taken.error);
  }
  return end === "cut off" ? err(CUT_OFF) : ok(totalsOf(lines));
}

const CUT_OFF: WalletFailure = { name: "wallet.unknown", cause: "network", detail: "simulated" };

/** What a bill with these lines holds in all. */
export function totalsOf(lines: readonly BillLine[]): BillTotals {
  const of = (kind: BillLine["kind"]) => lines.filter((line) => line.kind === kind);
  const sum = (kind: BillLine["kind"]) => of(kind).reduce((total, { amount }) => total + amount, 0);
  return {
    payments: of("payment").length,
    paymentAmount: sum("payment"),
    refunds: of("refund").length,
    refundAmount: sum("refund"),
  };
}
