import type { LineNumbers } from "@tillkit/core/ports";
import { lineNumbers } from "@tillkit/wallet-kit";

/** Matches a number that Alipay or the merchant assigned. */
export const NUMBER = /^[\x21-\x2b\x2d-\x7e]{1,64}$/;
/** Matches a number that may be missing. */
export const NUMBER_OR_NONE = /^[\x21-\x2b\x2d-\x7e]{0,64}$/;
/** Matches the number of an order, a refund or a store in any system of the merchant, or none. */
export const ORDER_NUMBER = /^\P{C}{0,64}$/u;
/** Matches an amount in yuan. It is negative for refunds, and some columns may be empty. */
export const AMOUNT = /^([+-]?\d{1,13}(\.\d{1,2})?)?$/;

/** Splits a line into its fields. Fields are not quoted, and many end with a tab. */
export function rowOf(text: string): readonly string[] {
  return text.split(",").map((field) => field.trim());
}

/** Returns the order and refund numbers of an unreadable line, as far as they can be read. */
export function validNumbers(known: (column: keyof LineNumbers) => string | undefined): LineNumbers {
  return lineNumbers(known, (text) => NUMBER.test(text));
}
