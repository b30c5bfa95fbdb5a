/**
 * Characters without a glyph of their own.
 *
 * Zero-width spaces and joiners, soft hyphens, direction marks, fillers, combining marks, and the
 * blank Braille pattern.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}\u2800]/gu;

const VISIBLE_ASCII = /[!-~]/;

/** Returns `text` without invisible characters. White space stays. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/**
 * Returns whether `text` shows nothing: it has only white space and invisible characters.
 *
 * @returns whether nothing is visible.
 * @example
 * ```ts
 * import { isBlank } from "@tillkit/core/text";
 *
 * console.log(isBlank(" \u200b"), isBlank("a")); // true false
 * ```
 */
export function isBlank(text: string): boolean {
  return !VISIBLE_ASCII.test(text) && withoutInvisible(text).trim() === "";
}
