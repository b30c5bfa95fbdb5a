import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive. The name is bytes, in any character set. */
export interface ZippedFile {
  readonly name: Uint8Array;
  readonly bytes: Uint8Array;
}

const VERSION = 20;
const DEFLATED = 8;

/** Creates a ZIP archive. With `damaged` the first file has a wrong checksum. */
export function zipBytes(files: readonly ZippedFile[], damaged = false): Uint8Array {
  const locals: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(VERSION, 0);
    facts.writeUInt16LE(DEFLATED, 4);
    facts.writeUInt32LE((crc32(bytes) ^ (damaged && offset === 0 ? 1 : 0)) >>> 0, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(signature(0x02014b50), word(VERSION), facts, place, name);
    locals.push(signature(0x04034b50), facts, name, packed);
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, signature(0x06054b50), end]);
}

function signature(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
