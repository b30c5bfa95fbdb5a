import { readFileSync } from "node:fs";
import { z } from "zod";

const line = z.object({
  kind: z.enum(["order-a", "order-b"]),
  value: z.object({
    terms: z.object({ outTradeNo: z.string(), goodsTitle: z.string(), amount: z.int() }),
    paidAt: z.int().nullable(),
    refunds: z.array(z.object({ refundNo: z.string(), amount: z.int() })).readonly(),
  }),
});

/** An order as a wallet stores it. Amounts are cents. */
export interface LedgerEntry {
  readonly outTradeNo: string;
  /** The title of the goods. The crash test uses the `bizNo` as title. */
  readonly bizNo: string;
  readonly amount: number;
  readonly paid: boolean;
  /** The refunds by the number that the wallet knows. */
  readonly refunds: readonly { readonly refundNo: string; readonly amount: number }[];
}

/**
 * Reads the orders of both wallets from a sandbox's state file. The last line of an order counts.
 */
export function readLedger(file: string): readonly LedgerEntry[] {
  const orders = new Map<string, LedgerEntry>();
  for (const text of readFileSync(file, "utf8").split("\n")) {
    const read = line.safeParse(parsed(text));
    if (!read.success) continue;
    const { terms, paidAt, refunds } = read.data.value;
    const { outTradeNo, goodsTitle: bizNo, amount } = terms;
    orders.set(outTradeNo, {
      outTradeNo,
      bizNo,
      amount,
      paid: paidAt !== null,
      refunds,
    });
  }
  return [...orders.values()];
}

// A kill may have cut the last line.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
