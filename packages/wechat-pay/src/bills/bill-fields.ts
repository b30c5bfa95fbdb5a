import { centsOfYuan } from "@tillkit/core";
import type { LineNumbers } from "@tillkit/core/ports";
import { lineNumbers } from "@tillkit/wallet-kit";

/** Precedes every field of a data line. Header rows do not contain it. */
export const TICK = "`";

/**
 * Splits a line into its fields. A comma alone does not separate fields, because goods names
 * contain commas.
 */
export function rowOf(text: string): readonly string[] {
  return text.slice(TICK.length).split(`,${TICK}`);
}

/** Matches a number that WeChat Pay or the merchant assigned. */
export const NUMBER = /^[\w|*@.-]{1,128}$/;
/** Matches the order number of any system of the merchant. Some lines have none. */
export const ORDER_NUMBER = /^\P{C}{0,64}$/u;
/** Matches an amount in yuan. Fees have five decimals. */
export const AMOUNT = /^-?\d{1,13}(\.\d{1,6})?$/;

/**
 * Converts a yuan text to cents, rounding half away from zero.
 *
 * The text may have a sign and up to six decimals.
 * @returns `undefined` if the text is not an amount.
 */
export function roundedCents(text: string): number | undefined {
  const [, sign, yuan, decimals = ""] = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (yuan === undefined) return undefined;
  const cents = centsOfYuan(`${yuan}.${decimals.padEnd(2, "0").slice(0, 2)}`) ?? 0;
  const rounded = cents + (Number(decimals[2] ?? "0") >= 5 ? 1 : 0);
  return sign === "-" && rounded !== 0 ? -rounded : rounded;
}

/** Returns the order and refund numbers of an unreadable line. The text `0` stands for none. */
export function validNumbers(known: (column: keyof LineNumbers) => string | undefined): LineNumbers {
  return lineNumbers(known, (text) => text !== "0" && NUMBER.test(text));
}
