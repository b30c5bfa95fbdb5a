/**
 * Characters with which a spreadsheet may take a cell for a formula, also in full width.
 *
 * Some spreadsheets remove spaces and invisible characters before them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;
/** Characters that RFC 4180 allows only between quotes. */
const SPECIAL = /[",\r\n]/;

/**
 * Returns one line of CSV by RFC 4180, with its line break.
 *
 * A text that a spreadsheet could run as a formula gets an apostrophe in front. Numbers are not
 * changed, also if they are negative. `undefined` is an empty cell.
 */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const isFormula = FORMULA.test(value);
  const text = isFormula ? `'${value}` : value;
  return isFormula || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
