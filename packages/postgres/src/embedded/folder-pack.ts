import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join, relative } from "node:path";

/** The first bytes of a pack, with the version of its format. */
const FORM = Buffer.from("tillkit-folder-1\n");
const DIGEST_BYTES = 32;
/**
 * The length of the head: the format, the digest of all later bytes, and the length of the file
 * list.
 */
const HEAD_BYTES = FORM.length + DIGEST_BYTES + 4;

/**
 * Packs the files of a folder into one buffer.
 *
 * Stores equal files once, and leaves out the zeros at the end of a file. Both make the pack of a
 * new database much smaller.
 */
export function packFolder(folder: string): Buffer {
  const parts: Buffer[] = [];
  const places = new Map<string, string>();
  let end = 0;
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) return `folder ${path}`;
    const bytes = readFileSync(join(folder, path));
    const part = withoutZeros(bytes);
    const key = digestOf(part).toString("hex");
    const place = places.get(key) ?? `${end} ${part.length}`;
    if (!places.has(key)) {
      places.set(key, place);
      parts.push(part);
      end += part.length;
    }
    return `${bytes.length} ${place} ${path}`;
  });
  const list = Buffer.from(lines.join("\n"));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(list.length);
  const body = Buffer.concat([size, list, ...parts]);
  return Buffer.concat([FORM, digestOf(body), body]);
}

/**
 * Writes the files of a pack into `folder`, which must not exist.
 *
 * @returns false if the pack is damaged or has another format. Then nothing is written.
 */
export function unpackFolder(pack: Buffer, folder: string): boolean {
  if (pack.length < HEAD_BYTES || !pack.subarray(0, FORM.length).equals(FORM)) return false;
  const body = pack.subarray(FORM.length + DIGEST_BYTES);
  if (!digestOf(body).equals(pack.subarray(FORM.length, FORM.length + DIGEST_BYTES))) return false;
  const partsAt = HEAD_BYTES + body.readUInt32LE();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const line of pack.toString("utf8", HEAD_BYTES, partsAt).split("\n")) {
    const [, size, at, length, path] = /^(\d+) (\d+) (\d+) (.*)$/.exec(line) ?? [];
    if (path === undefined) mkdirSync(join(folder, line.replace(/^folder /, "")), { mode: 0o700 });
    else
      writePadded(
        join(folder, path),
        pack.subarray(partsAt + Number(at)).subarray(0, Number(length)),
        Number(size),
      );
  }
  return true;
}

/** Creates a file of `size` bytes: `bytes`, then zeros. */
function writePadded(path: string, bytes: Buffer, size: number): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    if (size > bytes.length) ftruncateSync(file, size);
  } finally {
    closeSync(file);
  }
}

function withoutZeros(bytes: Buffer): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return bytes.subarray(0, length);
}

function digestOf(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
