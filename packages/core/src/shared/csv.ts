import { spreadsheetText } from "./spreadsheet-text.js";

/**
 * Characters that are allowed only between quotes.
 *
 * RFC 4180 names the comma, the quote and line breaks. Spreadsheets in many countries separate
 * cells by semicolons, and some programs by tabs.
 */
const SPECIAL = /[",;\t\r\n]/;

/** Begins a CSV file: spreadsheets recognise UTF-8 by the byte order mark. */
export const CSV_START = "\uFEFF";

/** A number or a day that a spreadsheet must read as a number or a day. */
export interface Readable {
  readonly readable: string;
}

/** What a cell can contain. `undefined` is an empty cell. */
export type Cell = string | number | Readable | undefined;

/**
 * Returns a cell with a number or a day that a spreadsheet must read as such.
 *
 * @returns the cell.
 * @example
 * ```ts
 * import { csvLine, readable } from "@tillkit/core/operators";
 *
 * const line = csvLine([readable("2026-01-31"), readable("-4.00")]); // "2026-01-31,-4.00\r\n"
 * ```
 */
export function readable(text: string): Readable {
  return { readable: text };
}

/**
 * Returns one line of CSV by RFC 4180, with its line break.
 *
 * A text that a spreadsheet would change, or run as a formula, gets an apostrophe in front. Numbers
 * are not changed, also if they are negative.
 *
 * @returns the line.
 * @example
 * ```ts
 * import { csvLine } from "@tillkit/core/operators";
 *
 * const line = csvLine(["b-1", 600, undefined]); // "b-1,600,\r\n"
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/financial-reports.md |
 *   Reports add up the wallets' bills, and exports read one state}
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: Cell): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return value.readable;
  const text = spreadsheetText(value);
  return text !== value || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
