import { moneyText } from "@tillkit/core/operators";

/** Writes an amount in yuan, and in cents as options take it: `¥4.00 (400 cents)`. */
export function amountText(cents: number): string {
  return `${moneyText(cents)} (${cents} cents)`;
}
