import { halfWidth } from "./half-width.js";

/** Invisible characters: formatting, zero-width fillers, and selectors of glyph variants. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/gu;
/** Dashes that word processors write instead of a hyphen. */
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63]/g;
/** What stands before a number in bills, in spreadsheets and in texts. */
const BEFORE = /^[\s\p{Cc}\p{Quotation_Mark}`´′‵ˋ,;、=#]+/u;
/**
 * What stands after a number.
 *
 * A match begins only at the start of a run of such characters, so the search takes linear time.
 */
const AFTER = /(?<![\s\p{Cc}\p{Quotation_Mark}`´′‵,;、。.:!?])[\s\p{Cc}\p{Quotation_Mark}`´′‵,;、。.:!?]+$/u;
/** A text in brackets. */
const IN_BRACKETS = /^[([{<【〔]([^()[\]{}<>【】〔〕]+)[)\]}>】〕]$/u;
/** Digits in groups. */
const GROUPED = /^\d+(?:\s+\d+)+$/;

/**
 * Returns the number in a text that a person copied from a bill, a spreadsheet or a message.
 *
 * Removes the marks that make a spreadsheet read a number as text (a back-tick, an apostrophe,
 * quotes, `="…"`), brackets, punctuation and spaces around the number, and invisible characters.
 * Writes full-width characters as ASCII, dashes as hyphens, and groups of digits without spaces.
 *
 * For searches, not for keys: two stored texts can have the same result.
 *
 * @returns the number. Empty if nothing is left.
 * @example
 * ```ts
 * import { pastedNumber } from "@tillkit/core/operators";
 *
 * const number = pastedNumber("`4200000000000000000000000002"); // "4200000000000000000000000002"
 * ```
 */
export function pastedNumber(text: string): string {
  const plain = halfWidth(text.replace(INVISIBLE, "")).replace(DASHES, "-");
  const outer = withoutMarks(plain);
  const inner = IN_BRACKETS.exec(outer)?.[1];
  const bare = inner === undefined ? outer : withoutMarks(inner);
  return GROUPED.test(bare) ? bare.replace(/\s+/g, "") : bare;
}

function withoutMarks(text: string): string {
  return text.replace(BEFORE, "").replace(AFTER, "");
}

/**
 * Returns what a search for a pasted text looks for: the text itself, and the number in it.
 *
 * Both are needed, because a stored number can begin or end with such marks itself.
 *
 * @returns one or two texts. None if the text is empty.
 * @example
 * ```ts
 * import { searchedTexts } from "@tillkit/core/operators";
 *
 * const texts = searchedTexts("#12"); // ["#12", "12"]
 * ```
 */
export function searchedTexts(text: string): readonly string[] {
  return [...new Set([text, pastedNumber(text)])].filter((one) => one !== "");
}
