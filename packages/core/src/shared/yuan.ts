/**
 * Formats cents as decimal yuan for Alipay: `601` becomes `"6.01"`. Uses integer arithmetic only.
 */
export function yuanText(cents: number): string {
  const remainder = cents % 100;
  return `${(cents - remainder) / 100}.${String(remainder).padStart(2, "0")}`;
}

/**
 * Formats cents as money for a reader: `123456` becomes `"¥1,234.56"`.
 *
 * @returns the text.
 * @example
 * ```ts
 * import { moneyText } from "@tillkit/core/operators";
 *
 * moneyText(123_456); // "¥1,234.56"
 * ```
 */
export function moneyText(cents: number): string {
  const [yuan = "", rest = ""] = yuanText(Math.abs(cents)).split(".");
  return `${cents < 0 ? "-" : ""}¥${yuan.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}.${rest}`;
}

/**
 * Parses decimal yuan with at most two decimals to cents; `undefined` for any other text.
 *
 * The inverse of {@link yuanText}.
 */
export function centsOfYuan(text: string): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
