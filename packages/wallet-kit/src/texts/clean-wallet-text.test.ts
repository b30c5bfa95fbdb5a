import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walletText } from "./clean-wallet-text.js";

const clean = (text: string, maxBytes = 200) => walletText(text, { maxBytes, fallback: "fallback" });

describe("walletText", () => {
  it("keeps the letters of every script, and symbols that are not emoji", () => {
    for (const text of ["VIP 会员", "Déjà vu", "한국어", "हिन्दी", "می‌خواهم", "50 % © ™ № ❤ ☀ 1#*"])
      expect(clean(text)).toBe(text);
  });

  it.each([
    ["one character", "😀"],
    ["a skin tone", "👍🏽"],
    ["a skin tone on a character of three bytes", "✊🏽"],
    ["a family, joined", "👩‍👩‍👧‍👦"],
    ["a heart of three bytes joined to fire", "❤️‍🔥"],
    ["the same without its selector", "❤‍🔥"],
    ["joined three-byte characters", "⛹‍♂"],
    ["a selector", "❤️"],
    ["a keycap", "1️⃣"],
    ["a keycap without its selector", "#⃣"],
    ["a flag of two letters", "🇨🇳"],
    ["a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["an emoji of three bytes", "⭐"],
  ])("removes a complete emoji: %s", (_what, emoji) => {
    expect(clean(`a${emoji}b`)).toBe("ab");
    expect(walletText(`a${emoji}b`, { maxBytes: 20, fallback: "x", replacement: " " })).toBe("a b");
    expect(clean(emoji)).toBe("fallback");
  });

  it("removes control characters, halves of characters and characters beyond U+FFFF", () => {
    expect(clean("a\u0000b\nc\ud800d𠮷e")).toBe("abcde");
  });

  it("removes isolated joiners and marks, and no letter before them", () => {
    for (const alone of ["\u{200d}", "\u{fe0f}", "\u{20e3}", "\u{e0067}", "\u{1f3fd}"])
      expect(clean(`${alone} x${alone} ${alone}y`)).toBe("x y");
    // A variation selector after a Chinese character is removed, and the character stays.
    expect(clean("葛\u{e0100}城")).toBe("葛城");
    expect(clean("a\u{fe0f}\u{200d}b")).toBe("a\u{200d}b");
    expect(clean("a\u{200d}")).toBe("a");
  });

  it("keeps a joiner between letters that belongs to the spelling", () => {
    expect(clean("ක්‍රීඩා")).toBe("ක්‍රීඩා");
  });

  it("cuts by UTF-8 bytes, and never within a character", () => {
    expect(clean("会".repeat(30), 80)).toBe("会".repeat(26));
    expect(clean("e\u{301}".repeat(30), 80)).toBe("e\u{301}".repeat(26));
    expect(clean("ab", 1)).toBe("a");
  });

  it("cuts a single grapheme that is too long between its characters", () => {
    expect(clean(`a${"\u{301}".repeat(100)}`, 80)).toBe(`a${"\u{301}".repeat(39)}`);
  });

  it("returns the fallback if nothing is left", () => {
    for (const text of ["", " ", "\n", "😀", "👨‍👩‍👧 "]) expect(clean(text)).toBe("fallback");
  });
});

describe("walletText, for any text", () => {
  const emoji = fc.constantFrom(
    "👩‍🚒",
    "❤️",
    "1️⃣",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "✊🏽",
    "\u{200d}",
    "\u{fe0f}",
    "\u{20e3}",
    "\u{1f3fd}",
    "⭐",
  );
  const text = fc
    .array(
      fc.oneof(
        emoji,
        fc.string({ unit: "binary", maxLength: 5 }),
        fc.string({ unit: "grapheme", maxLength: 5 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(""));
  const options = fc.record({
    maxBytes: fc.integer({ min: 8, max: 130 }),
    fallback: fc.constant("fallback"),
    replacement: fc.constantFrom("" as const, " " as const),
  });

  it("stays within the byte limit, contains nothing that a wallet refuses, and is never empty", () => {
    fc.assert(
      fc.property(text, options, (any, how) => {
        const fit = walletText(any, how);
        expect(Buffer.byteLength(fit)).toBeLessThanOrEqual(how.maxBytes);
        expect(fit).not.toMatch(/[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]|\u{20e3}|[\u{fe00}-\u{fe0f}]/u);
        expect(fit).not.toMatch(/\p{Emoji_Presentation}/u);
        expect(fit).not.toMatch(/(^|[^\p{L}\p{M}])\u{200d}|\u{200d}([^\p{L}\p{M}]|$)/u);
        expect(fit).not.toBe("");
      }),
    );
  });

  it("is idempotent, so that a repeated request is identical", () => {
    fc.assert(
      fc.property(text, options, (any, how) => {
        const fit = walletText(any, how);
        expect(walletText(fit, how)).toBe(fit);
      }),
    );
  });

  it("adds no character, and keeps the order", () => {
    fc.assert(
      fc.property(text, (any) => {
        const rest = [...any];
        const fit = clean(any, 1_000_000);
        if (fit === "fallback") return;
        for (const character of fit) {
          const found = rest.indexOf(character);
          expect(found).toBeGreaterThanOrEqual(0);
          rest.splice(0, found + 1);
        }
      }),
    );
  });
});
