import { pipeline } from "node:stream/promises";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { ClientSignal, Compressor, ContentCoding } from "@tillkit/core/http";
import { atMostAtOnce } from "./at-most-at-once.js";

/**
 * The length of a slice of a text. Only one slice at a time is encoded in memory, and other work of
 * the process runs between two slices.
 */
const SLICE = 65_536;

/**
 * How many texts are compressed at a time.
 *
 * By default, the thread pool of Node has four threads. They also read files, look up host names
 * and hash passwords. This work must not wait for the compression of replies.
 */
const AT_ONCE = 2;

/** The window of Brotli, 256 KiB. The largest report has half a megabyte of repetitive text. */
const WINDOW_BITS = 18;

/**
 * Creates a compressor on Node's zlib, which does not block the event loop.
 *
 * Uses low levels, because higher levels take much longer and save few bytes. Brotli compresses a
 * report of 516 kB to 74 kB in 2 ms, and gzip to 78 kB in 3 ms. The best level of each returns 67
 * kB, but needs several times as long. Compresses at most two texts at a time. Other texts wait, in
 * the order of the calls.
 *
 * @returns the compressor, with Brotli and gzip.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { nodeCompressor } from "@tillkit/runtime";
 *
 * const { metrics } = limitedSurfaces({ ...ports, compressor: nodeCompressor() });
 * ```
 */
export function nodeCompressor(): Compressor {
  const limited = atMostAtOnce(AT_ONCE);
  return {
    codings: ["br", "gzip"],
    compress: (text, coding, client) => limited(() => compressed(text, coding, client)),
  };
}

async function compressed(text: string, coding: ContentCoding, client?: ClientSignal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) chunks.push(chunk);
  };
  await pipeline(slicesOf(text, client), encoder(coding), collect);
  return Buffer.concat(chunks);
}

function encoder(coding: ContentCoding) {
  if (coding === "gzip") return createGzip({ level: 4 });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  return createBrotliCompress({
    params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_LGWIN]: WINDOW_BITS },
  });
}

/** Encodes a text slice by slice. Throws when the client has disconnected. */
function* slicesOf(text: string, client?: ClientSignal): Generator<Buffer> {
  for (let start = 0; start < text.length;) {
    if (client?.aborted === true) throw new Error("The client has disconnected.");
    // Does not cut between the two code units of one character.
    const isCut = isHighSurrogate(text.charCodeAt(start + SLICE - 1));
    const end = start + SLICE + (isCut ? 1 : 0);
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
