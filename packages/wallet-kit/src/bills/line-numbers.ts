import type { LineNumbers } from "@tillkit/core/ports";

/**
 * Returns the order and refund numbers of an unreadable line, as far as they can be read.
 *
 * Leaves out a text without the form of such a number, because it may contain personal data.
 * @param known - Returns the text of a column, if it is certain.
 * @param isNumber - Whether a text has the form of the wallet's numbers.
 */
export function lineNumbers(
  known: (column: keyof LineNumbers) => string | undefined,
  isNumber: (text: string) => boolean,
): LineNumbers {
  const of = (column: keyof LineNumbers) => {
    const text = known(column);
    return text !== undefined && isNumber(text) ? { [column]: text } : {};
  };
  return { ...of("outTradeNo"), ...of("refundNo"), ...of("walletTradeNo") };
}
