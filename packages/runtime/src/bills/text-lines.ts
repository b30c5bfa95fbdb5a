/** How bytes are to be read. */
export interface TextLinesOptions {
  readonly encoding: "utf-8" | "gbk";
  /** The longest line that is read, in characters. */
  readonly maxLength: number;
}

/**
 * The lines of a text that comes in chunks, without their ends and without a byte order mark; `undefined` for a line that is too long, after
 * which nothing more is read. At most one chunk and one line are held. Bytes that are no text become U+FFFD, and swallow neither a comma nor
 * the end of a line.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxLength }: TextLinesOptions,
): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of [...lines, ...(rest.length > maxLength ? [rest] : [])]) {
      if (line.length > maxLength) {
        yield undefined;
        return;
      }
      yield withoutReturn(line);
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
