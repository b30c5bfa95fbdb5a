/** Cents as the decimal yuan text WALLET_B speaks: `601` is `"6.01"`. Integer arithmetic only. */
export function yuanText(cents: number): string {
  const remainder = cents % 100;
  return `${(cents - remainder) / 100}.${String(remainder).padStart(2, "0")}`;
}

/** The cents of a decimal yuan text with at most two decimals, or `undefined` when it is none. The inverse of `yuanText`. */
export function centsOfYuan(text: string): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
