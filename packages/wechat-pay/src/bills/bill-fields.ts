import { centsOfYuan, type LineNumbers } from "@tillkit/core";

/** Stands before every field of a line, and before no other text. */
export const TICK = "`";

/** The fields of a line. A comma alone does not end one: the names of goods have commas in them. */
export function rowOf(text: string): readonly string[] {
  return text.slice(TICK.length).split(`,${TICK}`);
}

/** A number of WeChat Pay or of the merchant. */
export const NUMBER = /^[\w|*@.-]{1,128}$/;
/** An instant in China. */
export const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** An amount in yuan. Fees have five decimals. */
export const AMOUNT = /^-?\d{1,13}(\.\d{1,6})?$/;

/** Cents of a yuan text with a sign and any number of decimals, rounded half away from zero; `undefined` when it is none. */
export function roundedCents(text: string): number | undefined {
  const [, sign, yuan, decimals = ""] = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (yuan === undefined) return undefined;
  const cents = centsOfYuan(`${yuan}.${decimals.padEnd(2, "0").slice(0, 2)}`) ?? 0;
  const rounded = cents + (Number(decimals[2] ?? "0") >= 5 ? 1 : 0);
  return sign === "-" && rounded !== 0 ? -rounded : rounded;
}

/** The numbers of a line that cannot be read. Text that is no number may name a person, and is left out. */
export function numbersAmong(known: (column: keyof LineNumbers) => string | undefined): LineNumbers {
  const of = (column: keyof LineNumbers) => {
    const text = known(column);
    return text !== undefined && text !== "0" && NUMBER.test(text) ? { [column]: text } : {};
  };
  return { ...of("outTradeNo"), ...of("refundNo"), ...of("walletTradeNo") };
}
