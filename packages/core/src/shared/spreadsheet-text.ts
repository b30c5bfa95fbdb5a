import { halfWidth } from "./half-width.js";

/**
 * Matches a text that a spreadsheet may read as a formula, because of how it begins.
 *
 * Some spreadsheets first remove spaces and invisible characters, so these may come before the
 * sign.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@])/u;
/** A number that a spreadsheet shows as it is: at most 10 digits, and no leading zero. */
const SHOWN_AS_IS = /^(?:0|[1-9]\d{0,9})$/;
/** Words with which spreadsheets write numbers and times: exponents, names of months, AM and PM. */
const WORDS =
  /(?<=[\p{Nd}.])[ed](?=[+-]?\p{Nd})|(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*|[ap]\.?m\b\.?|上午|下午|[年月日时時分秒号號]/giu;
/**
 * The characters of numbers, amounts, percentages, fractions, dates and times, apart from words.
 */
const NUMERIC = /^[\p{Nd}\s\p{Cf}\p{Sc}.,:;/\\()%‰'’\-–−+~]*$/u;
const BOOLEAN = /^\s*(?:true|false)\s*$/i;

/**
 * Returns a text for a cell of CSV that spreadsheets neither run as a formula nor change.
 *
 * A spreadsheet reads `4200000000000000000000000002` as 4.2E+27, `00123` as 123, `1E5` as 100000
 * and `3-4` as a date. Such a text gets an apostrophe in front, and so does a formula.
 *
 * @returns the text, with an apostrophe in front if it needs one.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/financial-reports.md |
 *   Reports add up the wallets' bills, and exports read one state}
 * @example
 * ```ts
 * import { spreadsheetText } from "@tillkit/core/operators";
 *
 * const cell = spreadsheetText("00123"); // "'00123"
 * ```
 */
export function spreadsheetText(text: string): string {
  return isChanged(withoutApostrophes(text)) ? `'${text}` : text;
}

/**
 * Returns the text that {@link spreadsheetText} wrote to a cell.
 *
 * @returns the text without the apostrophe. A text without one is returned unchanged.
 * @example
 * ```ts
 * import { textOfSpreadsheet } from "@tillkit/core/operators";
 *
 * const store = textOfSpreadsheet("'00123"); // "00123"
 * ```
 */
export function textOfSpreadsheet(cell: string): string {
  return cell.startsWith("'") && isChanged(withoutApostrophes(cell)) ? cell.slice(1) : cell;
}

/**
 * Removes apostrophes at the start of a text.
 *
 * So `'00123` gets another apostrophe, as `00123` does: a reader can remove exactly one from both.
 */
function withoutApostrophes(text: string): string {
  return text.replace(/^'+/, "");
}

function isChanged(text: string): boolean {
  const plain = halfWidth(text);
  if (FORMULA.test(plain) || BOOLEAN.test(plain)) return true;
  if (SHOWN_AS_IS.test(text) || !/\p{Nd}/u.test(plain)) return false;
  return NUMERIC.test(plain.replace(WORDS, ""));
}
