/**
 * Control, format and separator characters that a terminal obeys or does not show.
 *
 * The two joiners (U+200C and U+200D) are text, because words and emoji contain them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Writes every character that a terminal would obey as `\uXXXX`, including line feeds and tabs.
 *
 * The result is always one line.
 */
export function visibleLine(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

/**
 * Writes every character that a terminal would obey as `\uXXXX`, except line feeds and tabs.
 *
 * A parser reads the same value from escaped JSON.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, unit) => {
    const code = found.charCodeAt(unit).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");
}
