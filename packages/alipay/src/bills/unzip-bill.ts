import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";

/** Limits of {@link unzipBill}. */
export interface UnzipLimits {
  /** Aborts decompression between two chunks. */
  readonly signal: AbortSignal;
  /** Maximum decompressed size of all files together, in bytes. */
  readonly maxBytes: number;
}

/** Message of the error for files that are too long. */
export const TOO_LONG = "The files of the archive are too long.";

/**
 * Decompresses the files of an archive, one after the other.
 *
 * Throws if the archive is invalid or damaged, or if its files are longer than `maxBytes`. It
 * checks the stated sizes before it decompresses a file, and the checksum afterwards.
 */
export async function* unzipBill(
  archive: Buffer,
  { signal, maxBytes }: UnzipLimits,
): AsyncGenerator<AsyncIterable<Uint8Array>> {
  // File names are GBK and not used, because the first line of a file contains its type.
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
  if (sum !== entry.crc32) throw new Error("A file in the archive has a wrong checksum.");
}
