/**
 * Writes a text as one segment of a path, which URL parsers and proxies do not change.
 *
 * Percent-encoding is not enough. Browsers and URL parsers remove the segments `.` and `..`, also
 * if their dots are written as `%2e`. Many proxies decode or refuse `%2F`, `%25` and `%5C`. So each
 * byte other than letters, digits, `-`, `_` and `.` is written as `~` and two hexadecimal digits.
 * If the text consists only of dots, the dots are written in this way too.
 *
 * @returns the segment, which needs no further encoding.
 * @example
 * ```ts
 * import { writePathSegment } from "@tillkit/core/text";
 *
 * writePathSegment(".."); // "~2E~2E"
 * writePathSegment("a/b"); // "a~2Fb"
 * ```
 */
export function writePathSegment(text: string): string {
  const plain = /^\.+$/.test(text) ? /^[\w-]$/ : /^[\w.-]$/;
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return plain.test(character) ? character : `~${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/**
 * Reads a segment of a path that {@link writePathSegment} wrote, or that is percent-encoded.
 *
 * A client that percent-encodes must write `~` as `~7E`, and the segments `.` and `..` as `~2E` and
 * `~2E~2E`.
 *
 * @returns the text, or `undefined` if the segment has an invalid escape.
 * @example
 * ```ts
 * import { readPathSegment } from "@tillkit/core/text";
 *
 * readPathSegment("a%2Fb~2F"); // "a/b/"
 * ```
 */
export function readPathSegment(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    // Writes `~XX` as `%XX` and encodes the rest, so that one call decodes both.
    return decodeURIComponent(
      value.replace(/~([\dA-F]{2})|[^~]+|~/gu, (part, byte?: string) =>
        byte === undefined ? encodeURIComponent(part) : `%${byte}`,
      ),
    );
  } catch {
    return undefined;
  }
}
