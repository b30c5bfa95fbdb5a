import { err, ok, type Result } from "neverthrow";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes the bytes of a text file as UTF-8, with or without a byte order mark.
 *
 * @returns the text without the mark. Fails with the rest of a sentence about the file, such as `is
 *   UTF-16: save it as UTF-8`.
 * @example
 * ```ts
 * import { decodeText } from "@tillkit/core/text";
 *
 * const decoded = decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]));
 * if (decoded.isOk()) console.log(decoded.value); // {}
 * ```
 */
export function decodeText(bytes: Uint8Array): Result<string, string> {
  const problem = encodingProblem(bytes);
  if (problem !== undefined) return err(problem);
  try {
    return ok(decoder.decode(bytes));
  } catch {
    return err("is not UTF-8: save it as UTF-8");
  }
}

/**
 * Recognizes a file of another kind by its first bytes: UTF-16, UTF-32, or compressed data.
 *
 * UTF-16 without a mark is recognized by the zero byte of its first ASCII character.
 *
 * @param head - the first four bytes, or more.
 * @returns the rest of a sentence about the file, or `undefined` if it may be UTF-8.
 * @example
 * ```ts
 * import { encodingProblem } from "@tillkit/core/text";
 *
 * encodingProblem(new Uint8Array([0xff, 0xfe, 0x7b, 0x00])); // "is UTF-16: save it as UTF-8, …"
 * ```
 */
export function encodingProblem(head: Uint8Array): string | undefined {
  const [first, second, third, fourth] = head;
  if (first === 0x1f && second === 0x8b) return "is compressed by gzip: decompress it first";
  if (first === 0x50 && second === 0x4b && third === 3 && fourth === 4)
    return "is a ZIP archive: unpack it first";
  const zeros = [first, second, third, fourth].filter((byte) => byte === 0).length;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (zeros === 4) return "begins with zero bytes, so it is not text: restore it from a copy";
  const isWide = zeros === 3 || (zeros === 2 && (isMarked || (first === 0 && second === 0)));
  if (isWide) return "is UTF-32: save it as UTF-8";
  return isMarked || zeros > 0
    ? "is UTF-16: save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`"
    : undefined;
}
