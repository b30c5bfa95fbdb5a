/** How bytes are to be read. */
export interface TextLinesOptions {
  readonly encoding: "utf-8" | "gbk";
  /** The longest line that is read whole, in characters. */
  readonly maxLength: number;
}

/**
 * The lines of a text that comes in chunks, without their ends and without a byte order mark. Of a line that is too long only the first `maxLength` characters are
 * given, and the rest of it is skipped. At most one chunk and one line are held. Bytes that are no text become U+FFFD, and swallow neither a comma nor the end of a line.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxLength }: TextLinesOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  // Whether the beginning of the line was given already, because it is too long.
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

/** The line without its carriage return, which does not count for its length. */
function withoutReturn(line: string, maxLength: number): string {
  return (line.endsWith("\r") ? line.slice(0, -1) : line).slice(0, maxLength);
}
