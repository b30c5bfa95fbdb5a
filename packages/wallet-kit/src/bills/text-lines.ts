/** Options of {@link textLines}. */
export interface TextLinesOptions {
  readonly encoding: "utf-8" | "gbk";
  /** Maximum length of a line, in characters. Longer lines are cut. */
  readonly maxLength: number;
}

/**
 * Splits a chunked text into lines, without line ends and without a byte order mark.
 *
 * A line longer than `maxLength` is cut, and the rest of it is skipped. The function holds at most
 * one chunk and one line. Invalid bytes become U+FFFD and never consume a comma or a line end.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxLength }: TextLinesOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  // Whether the start of an overlong line was already yielded.
  let isSkipping = false;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isSkipping) yield withoutReturn(line.slice(0, maxLength + 1), maxLength);
      isSkipping = false;
    }
    if (rest.length <= maxLength + 1) continue;
    if (!isSkipping) yield withoutReturn(rest.slice(0, maxLength + 1), maxLength);
    isSkipping = true;
    rest = "";
  }
  rest += decoder.decode();
  if (rest !== "" && !isSkipping) yield withoutReturn(rest.slice(0, maxLength + 1), maxLength);
}

/** Removes the carriage return, which does not count towards the length, and cuts the line. */
function withoutReturn(line: string, maxLength: number): string {
  return (line.endsWith("\r") ? line.slice(0, -1) : line).slice(0, maxLength);
}
