import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nodeCompressor } from "./node-compressor.js";

const SLICE = 65_536;
const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
const compressor = nodeCompressor();
const { codings } = compressor;

it("prefers Brotli, which is faster and smaller", () => {
  expect(codings).toEqual(["br", "gzip"]);
});

it.each(codings)("keeps every text: %s", async (coding) => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(3), async (part, before) => {
      // Characters of two units at the border of a slice, at every offset.
      const text = "x".repeat(SLICE - before) + part + "🧾✓支".repeat(30_000) + part;
      const bytes = decoders[coding](await compressor.compress(text, coding));
      expect(bytes.equals(Buffer.from(text))).toBe(true);
    }),
    { numRuns: 25 },
  );
});

it.each(codings)("keeps an empty text and an unpaired surrogate: %s", async (coding) => {
  for (const text of ["", "\ud800", "a".repeat(SLICE - 1) + "\ud800"])
    expect(decoders[coding](await compressor.compress(text, coding))).toEqual(Buffer.from(text));
});

it.each(codings)("lets other work run between the slices of a large text: %s", async (coding) => {
  const text = Array.from({ length: 50_000 }, (_, line) => `{"date":"2026-01-14","n":${line}}`).join();
  const ended = new AbortController();
  const compressing = compressor.compress(text, coding).finally(() => ended.abort());
  let turns = 0;
  for (; !ended.signal.aborted; turns += 1) await setImmediate();
  await compressing;
  expect(turns).toBeGreaterThan(text.length / SLICE / 2);
});

it("stops for a client that has disconnected, and continues with the next", async () => {
  const gone = {
    aborted: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  const calls = Array.from({ length: 5 }, () => compressor.compress("a text", "gzip", gone));
  for (const call of calls) await expect(call).rejects.toThrow("disconnected");
  expect(gunzipSync(await compressor.compress("a text", "gzip")).toString()).toBe("a text");
});
