import type { LineNumbers } from "@tillkit/core";

/** An instant in China. */
export const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** A number of Alipay or of the merchant. */
export const NUMBER = /^[\x21-\x2b\x2d-\x7e]{1,64}$/;
/** A number that may be missing. */
export const NUMBER_OR_NONE = /^[\x21-\x2b\x2d-\x7e]{0,64}$/;
/** An amount in yuan, negative where money goes back; some columns may be empty. */
export const AMOUNT = /^([+-]?\d{1,13}(\.\d{1,2})?)?$/;

/** The fields of a row. Nothing is quoted, and many fields end with a tab. */
export function rowOf(text: string): readonly string[] {
  return text.split(",").map((field) => field.trim());
}

/** The numbers of a line that cannot be read. Text that is no number may name a person, and is left out. */
export function numbersAmong(known: (column: keyof LineNumbers) => string | undefined): LineNumbers {
  const of = (column: keyof LineNumbers) => {
    const text = known(column);
    return text !== undefined && NUMBER.test(text) ? { [column]: text } : {};
  };
  return { ...of("outTradeNo"), ...of("refundNo"), ...of("walletTradeNo") };
}
