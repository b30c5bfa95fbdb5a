import { moneyText } from "@tillkit/core/operators";

/** Formats an amount in yuan, and in cents, the unit of the options: `¥4.00 (400 cents)`. */
export function amountText(cents: number): string {
  return `${moneyText(cents)} (${cents} cents)`;
}
