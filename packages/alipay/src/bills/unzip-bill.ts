import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";

/** What bounds the unpacking. */
export interface UnzipBounds {
  /** Ends it between two chunks. */
  readonly signal: AbortSignal;
  /** Bytes that all files of the archive may have together. */
  readonly maxBytes: number;
}

/** The message of what is thrown for files that are too long. */
export const TOO_LONG = "The files of the archive are too long.";

/**
 * The files of an archive as they are unpacked, one after the other. It throws for what is no whole and sound archive: sizes and check sums
 * are compared with what the archive says of itself, before its sizes let a small archive become a large text.
 */
export async function* unzipBill(
  archive: Buffer,
  { signal, maxBytes }: UnzipBounds,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  // Names are GBK and not looked at: a bill says in its first line what it is.
  const zip = await fromBufferPromise(archive, { lazyEntries: true, decodeStrings: false });
  let left = maxBytes;
  for await (const entry of zip.eachEntry()) {
    left -= entry.uncompressedSize;
    if (left < 0) throw new Error(TOO_LONG);
    yield unpacked(zip, entry, signal);
  }
}

async function* unpacked(zip: ZipFile, entry: Entry, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    if (!(chunk instanceof Uint8Array)) continue;
    signal.throwIfAborted();
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (sum !== entry.crc32) throw new Error("A file of the archive has another check sum.");
}
