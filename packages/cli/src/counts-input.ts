import { PassThrough, pipeline, Readable } from "node:stream";
import { createGunzip, crc32 } from "node:zlib";
import type { ResultAsync } from "neverthrow";
import { fromBufferPromise } from "yauzl";
import type { Encoding } from "./counts-format.js";
import type { CliFailure } from "./failure.js";
import { type Input, openInput } from "./input-file.js";
import type { Io } from "./io.js";
import { EncodingError } from "./read-text.js";

/** The maximum size of a ZIP archive in bytes, 64 MiB. The whole archive is read into memory. */
const MAX_ARCHIVE = 2 ** 26;

/**
 * Opens a file of counts as UTF-8 text.
 *
 * Decompresses gzip and a ZIP archive with one file. Without `encoding`, the first bytes show
 * whether the text is UTF-8 or UTF-16.
 */
export function openCountsInput(
  io: Pick<Io, "stdin">,
  file: string,
  encoding: Encoding | undefined,
): ResultAsync<Input, CliFailure> {
  return openInput(io, file).map(({ stream, ...rest }) => {
    let bytesRead = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of stream) {
        const bytes = bytesOf(chunk);
        bytesRead += bytes.length;
        yield bytes;
      }
    }
    const text = Readable.from(textOf(counted(), encoding), { objectMode: false });
    // The reader receives an error of either stream. If the reader ends early, the file is closed.
    const guard = pipeline(text, new PassThrough(), () => stream.destroy());
    return { ...rest, stream: guard, bytesRead: () => bytesRead };
  });
}

async function* textOf(
  source: AsyncIterable<unknown>,
  encoding: Encoding | undefined,
): AsyncGenerator<Uint8Array> {
  const packed = await headOf(source);
  const [first, second, third, fourth] = packed.head;
  const isGzip = first === 0x1f && second === 0x8b;
  const isZip = first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
  const text = isGzip ? gunzipped(packed.all) : isZip ? unzipped(packed.all) : packed.all;
  const { head, all } = await headOf(text);
  const decoder = decoderOf(head, encoding);
  if (decoder === undefined) {
    yield* all;
    return;
  }
  for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Returns the first bytes of a source, and a source with the same bytes. */
async function headOf(source: AsyncIterable<unknown>) {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let done = false;
  while (head.length < 4 && !done) {
    const next = await iterator.next();
    done = next.done === true;
    if (!done) head = Buffer.concat([head, bytesOf(next.value)]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      yield bytesOf(next.value);
  }
  return { head, all: all() };
}

function bytesOf(chunk: unknown): Buffer {
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk), "utf8");
}

function decoderOf(head: Buffer, encoding: Encoding | undefined) {
  const [first, second] = head;
  // Without a mark, UTF-16 is recognized by the zero byte of its first ASCII character.
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const isLittleEndian = (first === 0xff && second === 0xfe) || (second === 0 && first !== 0);
  switch (encoding) {
    case "gbk":
    case "gb18030":
      return new TextDecoder(encoding);
    case "utf-8":
      return undefined;
    case "utf-16":
    case undefined:
      if (isBigEndian) return new TextDecoder("utf-16be");
      return isLittleEndian || encoding === "utf-16" ? new TextDecoder("utf-16le") : undefined;
  }
}

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator {
  const source = Readable.from(packed);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    yield* gunzip;
  } catch {
    throw new EncodingError("is not complete gzip data: fetch it again");
  }
}

async function* unzipped(packed: AsyncIterable<Buffer>): AsyncGenerator {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of packed) {
    size += chunk.length;
    if (size > MAX_ARCHIVE) throw new EncodingError("is a ZIP archive of more than 64 MiB: unpack it first");
    chunks.push(chunk);
  }
  const zip = await fromBufferPromise(Buffer.concat(chunks), {
    lazyEntries: true,
    decodeStrings: false,
  }).catch(() => undefined);
  if (zip?.entryCount !== 1)
    throw new EncodingError("is a ZIP archive that does not have exactly one file: unpack it first");
  for await (const entry of zip.eachEntry()) {
    let sum = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      if (!(chunk instanceof Uint8Array)) continue;
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) throw new EncodingError("is a damaged ZIP archive: fetch it again");
  }
}
