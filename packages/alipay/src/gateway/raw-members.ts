import { isUtf8 } from "node:buffer";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];
const SPACE = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Returns the members of a JSON object as raw bytes of `source`.
 *
 * Alipay signs the bytes of a member. Parsing and serialising them again would change escapes and
 * spaces. The function does not check the values. Text that is not UTF-8 is read as GBK.
 * @returns `undefined` if `source` is not an object, contains a name twice, or continues after the
 *   object.
 */
export function rawMembers(source: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const isGbk = !isUtf8(source);
  const members = new Map<string, Uint8Array>();
  let at = skipSpace(source, 0);
  if (source[at] !== OPEN[0]) return undefined;
  at = skipSpace(source, at + 1);
  for (;;) {
    const afterName = endOfText(source, at, isGbk);
    if (afterName === undefined) return undefined;
    // Alipay's names are ASCII without escapes. Other names are never looked up.
    const name = Buffer.from(source.subarray(at + 1, afterName - 1)).toString("latin1");
    const colon = skipSpace(source, afterName);
    if (source[colon] !== COLON) return undefined;
    const start = skipSpace(source, colon + 1);
    const end = endOfValue(source, start, isGbk);
    if (end === undefined || members.has(name)) return undefined;
    members.set(name, source.subarray(start, end));
    const next = skipSpace(source, end);
    if (source[next] === CLOSE[0]) return skipSpace(source, next + 1) === source.length ? members : undefined;
    if (source[next] !== COMMA) return undefined;
    at = skipSpace(source, next + 1);
  }
}

/** Returns the index after the value at `start`, or `undefined` if there is no complete value. */
function endOfValue(source: Uint8Array, start: number, isGbk: boolean): number | undefined {
  if (source[start] === QUOTE) return endOfText(source, start, isGbk);
  if (!isOne(OPEN, source[start])) return endOfWord(source, start);
  let depth = 0;
  let at = start;
  while (at < source.length) {
    if (source[at] === QUOTE) {
      const after = endOfText(source, at, isGbk);
      if (after === undefined) return undefined;
      at = after;
      continue;
    }
    if (isOne(OPEN, source[at])) depth += 1;
    if (isOne(CLOSE, source[at])) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/**
 * Returns the index after the closing quote of the string at `start`.
 *
 * In GBK, the second byte of a character may be equal to the byte of a backslash.
 */
function endOfText(source: Uint8Array, start: number, isGbk: boolean): number | undefined {
  if (source[start] !== QUOTE) return undefined;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === BACKSLASH || (isGbk && isFirstOfTwo(source[at]))) at += 1;
    else if (source[at] === QUOTE) return at + 1;
  }
  return undefined;
}

function isFirstOfTwo(byte = 0): boolean {
  return 0x81 <= byte && byte <= 0xfe;
}

/** Returns the index after a number, `true`, `false` or `null`. */
function endOfWord(source: Uint8Array, start: number): number | undefined {
  const rest = source
    .subarray(start)
    .findIndex((byte) => byte === COMMA || isOne([...CLOSE, ...SPACE], byte));
  return rest > 0 ? start + rest : undefined;
}

function skipSpace(source: Uint8Array, start: number): number {
  let at = start;
  while (isOne(SPACE, source[at])) at += 1;
  return at;
}

function isOne(bytes: readonly number[], byte: number | undefined): boolean {
  return byte !== undefined && bytes.includes(byte);
}
