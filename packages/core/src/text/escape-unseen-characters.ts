/**
 * Control, format and separator characters that a terminal or a browser obeys or does not show.
 *
 * The two joiners (U+200C and U+200D) are left out, because words and emoji contain them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Writes every character that a terminal or browser obeys as `\uXXXX`, also line feeds and tabs.
 *
 * @returns one line.
 * @example
 * ```ts
 * import { visibleLine } from "@tillkit/core/text";
 *
 * visibleLine("a\u202eb\n"); // "a\\u202eb\\u000a"
 * ```
 */
export function visibleLine(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

/**
 * Writes every character that a terminal or browser obeys as `\uXXXX`, except line feeds and tabs.
 *
 * @returns the text. A parser reads the same value from escaped JSON.
 * @example
 * ```ts
 * import { visible } from "@tillkit/core/text";
 *
 * visible("a\u202eb\n"); // "a\\u202eb\n"
 * ```
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => {
    const code = character.charCodeAt(unit).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");
}
