/** How a text is made fit for a wallet. */
export interface WalletTextOptions {
  /** UTF-8 bytes that the result has at most. */
  readonly maxBytes: number;
  /** The result if nothing is left of the text. It is returned as it is, so it must fit. */
  readonly fallback: string;
  /** What stands in the place of a removed character or emoji. Defaults to nothing. */
  readonly replacement?: "" | " ";
}

/**
 * Characters that need a look at what surrounds them: those that a wallet refuses, and those that
 * can belong to an emoji.
 */
const NOT_PLAIN =
  /[\p{Cc}\p{Cs}\p{Emoji_Presentation}\u{10000}-\u{10ffff}]|\u{200d}|\u{20e3}|[\u{fe00}-\u{fe0f}]/u;
/**
 * A grapheme that is an emoji: by default, by a selector, by a skin tone, as a keycap, or as a
 * sequence.
 */
const EMOJI =
  /^\p{Emoji}.*(?:\p{Emoji_Presentation}|\u{fe0f}|\u{20e3}|\u{200d}\p{Extended_Pictographic})|^\p{Emoji_Presentation}/su;
/** A grapheme that begins like this has no character that a wallet takes. */
const NO_BASE = /^(?:[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]|\u{200d}|\u{20e3}|[\u{fe00}-\u{fe0f}])/u;
/** What is removed behind a letter that stays, such as the selector of a written variant. */
const ATTACHED = /[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]|\u{20e3}|[\u{fe00}-\u{fe0f}]/gu;
/** A joiner that joins no letters. Between letters it belongs to the spelling of some languages. */
const LONE_JOINER = /(?<![\p{L}\p{M}])\u{200d}|\u{200d}(?![\p{L}\p{M}])/gu;

/**
 * Makes a text fit for a wallet: without control characters, emoji and characters beyond U+FFFF,
 * cut at `maxBytes`.
 *
 * An emoji goes as a whole, so that no joiner, variation selector, skin tone or keycap is left of
 * it. The cut never tears a grapheme, unless the first one alone is too long. Equal texts give
 * equal results, and a result stays as it is.
 *
 * @see docs/decisions/2026-11-22-wallet-texts.md for the limits of each wallet.
 */
export function walletText(
  text: string,
  { maxBytes, fallback, replacement = "" }: WalletTextOptions,
): string {
  const short = cut(plain(text, replacement).trim(), maxBytes).replaceAll(LONE_JOINER, "").trim();
  return short === "" ? fallback : short;
}

function plain(text: string, replacement: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  return graphemes(text)
    .map((grapheme) => (NOT_PLAIN.test(grapheme) ? reduced(grapheme, replacement) : grapheme))
    .join("")
    .replaceAll(LONE_JOINER, "");
}

function reduced(grapheme: string, replacement: string): string {
  return EMOJI.test(grapheme) || NO_BASE.test(grapheme) ? replacement : grapheme.replaceAll(ATTACHED, "");
}

function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const whole = within(graphemes(text), maxBytes);
  return whole === "" ? within([...text], maxBytes) : whole;
}

/** The first `parts` together, as long as they fit. */
function within(parts: readonly string[], maxBytes: number): string {
  let bytes = 0;
  const beyond = parts.findIndex((part) => (bytes += Buffer.byteLength(part)) > maxBytes);
  return parts.slice(0, beyond === -1 ? parts.length : beyond).join("");
}

// Made at first use: loading its data takes milliseconds, and few texts need it.
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
