/** Options of {@link walletText}. */
export interface WalletTextOptions {
  /** Maximum length of the result in UTF-8 bytes. */
  readonly maxBytes: number;
  /** The result if no text is left. It is returned unchanged, so it must fit. */
  readonly fallback: string;
  /** Replaces each grapheme that is removed as a whole, such as an emoji. Defaults to `""`. */
  readonly replacement?: "" | " ";
}

/**
 * Matches characters that a wallet refuses and characters that can belong to an emoji.
 *
 * A grapheme with such a character is examined as a whole.
 */
const NOT_PLAIN =
  /[\p{Cc}\p{Cs}\p{Emoji_Presentation}\u{10000}-\u{10ffff}]|\u{200d}|\u{20e3}|[\u{fe00}-\u{fe0f}]/u;
/**
 * Matches a grapheme that is an emoji.
 *
 * Some characters are emoji by default. Others become an emoji by a variation selector, a skin
 * tone, a keycap mark, or a joiner before a pictograph.
 */
const EMOJI =
  /^\p{Emoji}.*(?:\p{Emoji_Presentation}|\u{fe0f}|\u{20e3}|\u{200d}\p{Extended_Pictographic})|^\p{Emoji_Presentation}/su;
/** Matches a grapheme whose first character is refused by wallets. It is removed as a whole. */
const NO_BASE = /^(?:[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]|\u{200d}|\u{20e3}|[\u{fe00}-\u{fe0f}])/u;
/** Matches characters that are removed after a letter, such as variation selectors. */
const ATTACHED = /[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]|\u{20e3}|[\u{fe00}-\u{fe0f}]/gu;
/**
 * Matches a zero-width joiner that is not between letters.
 *
 * The spelling of some languages needs joiners between letters.
 */
const LONE_JOINER = /(?<![\p{L}\p{M}])\u{200d}|\u{200d}(?![\p{L}\p{M}])/gu;

/**
 * Removes control characters, emoji and characters above U+FFFF, and cuts the text.
 *
 * An emoji is removed as a whole, including its joiners, variation selectors, skin tone and keycap.
 * The cut never splits a grapheme, unless the first grapheme alone is too long. The function is
 * deterministic and idempotent.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/wallet-texts.md |
 *   Texts for the wallets are cut by bytes and lose whole emoji} for the limits of each wallet.
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

/** Joins the first `parts` that fit into `maxBytes` together. */
function within(parts: readonly string[], maxBytes: number): string {
  let bytes = 0;
  const beyond = parts.findIndex((part) => (bytes += Buffer.byteLength(part)) > maxBytes);
  return parts.slice(0, beyond === -1 ? parts.length : beyond).join("");
}

// Created at first use, because loading its data takes milliseconds and few texts need it.
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
