/** What moves a terminal's cursor, changes its colours, breaks or turns a line, or cannot be seen; joiners inside words and emoji are text. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with whatever a terminal would obey written as `\u001b` is, line feeds and tabs as well: one value in one line. */
export function visibleLine(text: string): string {
  return text.replaceAll(UNSEEN, escaped);
}

/** The text with whatever a terminal would obey written as `\u001b` is, but for its line feeds and tabs. A JSON text keeps its meaning. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, unit) => {
    const code = found.charCodeAt(unit).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");
}
