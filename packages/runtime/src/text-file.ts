import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { errorCode } from "@tillkit/core/errors";
import { decodeText } from "@tillkit/core/text";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** The reason why a file cannot be read. `message` says what to do, and contains no content. */
export interface FileFailure {
  /**
   * The kind of failure.
   *
   * - `file.missing`: the file does not exist.
   * - `file.exposed`: other users of the machine can read or change a file with secrets.
   * - `file.invalid`: the file is too large, or not UTF-8 text.
   * - `file.unavailable`: it is no regular file, or the file system returned another error.
   */
  readonly name: `file.${"missing" | "exposed" | "invalid" | "unavailable"}`;
  readonly message: string;
}

/** How to open a file whose path a person gave. */
export interface OpenFileOptions {
  /** What the file is, for messages. Defaults to `file`, such as in `The file x.csv …`. */
  readonly what?: string;
  /** What to do if it is missing. Defaults to `correct the path, or create the file`. */
  readonly ifMissing?: string;
  /**
   * Whether the file contains secrets. Defaults to false.
   *
   * Other users must not have access to such a file, and its group must not write it. Windows
   * skips this check.
   */
  readonly secret?: boolean;
}

/** How to read a text file that a person wrote. */
export interface ReadTextFileOptions extends OpenFileOptions {
  /** The largest size in bytes. Defaults to 1 MiB. */
  readonly maxBytes?: number;
}

/** An open file. */
export interface OpenFile {
  /** The bytes, which can be read once. The file is closed after the last byte. */
  readonly content: AsyncIterable<Uint8Array>;
  /** The size in bytes. */
  readonly size: number;
}

/** An open file, for this module. */
interface OpenHandle {
  readonly handle: FileHandle;
  readonly size: number;
}

/** The maximum size of a file with settings or credentials: 1 MiB. */
const MAX_BYTES = 2 ** 20;

/**
 * The mode bits that a file with secrets must not have: any access by others, and writing by the
 * group.
 *
 * Reading by the group is allowed, because containers mount secrets that way.
 */
const EXPOSED = 0o027;

/**
 * Opens a file whose path a person gave, for reading.
 *
 * The path must lead to a regular file, directly or through symbolic links. A pipe or a device is
 * not read, because it could block the process.
 *
 * @returns the open file. Fails with `file.missing`, `file.exposed` or `file.unavailable`.
 * @example
 * ```ts
 * import { openFile } from "@tillkit/runtime";
 *
 * const opened = await openFile("counts.csv");
 * if (opened.isErr()) throw new Error(opened.error.message);
 * for await (const chunk of opened.value.content) console.log(chunk);
 * ```
 */
export function openFile(path: string, options: OpenFileOptions = {}): ResultAsync<OpenFile, FileFailure> {
  return openHandle(path, options).map(({ handle, size }) => ({ content: handle.createReadStream(), size }));
}

function openHandle(path: string, options: OpenFileOptions): ResultAsync<OpenHandle, FileFailure> {
  const subject = subjectOf(path, options);
  const opening = async (): Promise<Result<OpenHandle, FileFailure>> => {
    // Without this flag, opening a pipe waits for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      const failure = unsuitable(stats, path, options);
      if (failure === undefined) return ok({ handle, size: stats.size });
      await handle.close();
      return err(failure);
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
  return ResultAsync.fromThrowable(opening, (error) => unavailable(subject, error, options))().andThen(
    (opened) => opened,
  );
}

/**
 * Reads a text file that a person wrote: UTF-8, with or without a byte order mark.
 *
 * Opens the file like {@link openFile}.
 *
 * @returns the text. Fails also with `file.invalid` if the file is larger than `maxBytes`, or in
 *   another encoding, which the message names.
 * @example
 * ```ts
 * import { readTextFile } from "@tillkit/runtime";
 *
 * const read = await readTextFile("/etc/shop/carriers.json", { secret: true });
 * if (read.isErr()) throw new Error(read.error.message);
 * ```
 */
export function readTextFile(
  path: string,
  options: ReadTextFileOptions = {},
): ResultAsync<string, FileFailure> {
  const { maxBytes = MAX_BYTES } = options;
  const subject = subjectOf(path, options);
  return openHandle(path, options).andThen(({ handle }) =>
    ResultAsync.fromPromise(readAndClose(handle, maxBytes), (error) =>
      unavailable(subject, error, options),
    ).andThen((bytes) => {
      const text =
        bytes.length > maxBytes
          ? err(`is larger than ${String(maxBytes)} bytes: give a smaller file`)
          : decodeText(bytes);
      return text.mapErr((problem): FileFailure => ({
        name: "file.invalid",
        message: `${subject} ${problem}.`,
      }));
    }),
  );
}

/** Reads up to `maxBytes` and one more byte. Some files, such as those in `/proc`, state size 0. */
async function readAndClose(handle: FileHandle, maxBytes: number): Promise<Uint8Array> {
  try {
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}

function unsuitable(stats: Stats, path: string, options: OpenFileOptions): FileFailure | undefined {
  const subject = subjectOf(path, options);
  if (!stats.isFile())
    return {
      name: "file.unavailable",
      message: `${subject} is a ${kindOf(stats)}: give the path of a regular file.`,
    };
  const mode = stats.mode & 0o777;
  if (options.secret !== true || process.platform === "win32" || (mode & EXPOSED) === 0) return undefined;
  return {
    name: "file.exposed",
    message: `${subject} has mode ${mode.toString(8)}, so other users of the machine can read or change it. Run: chmod 600 ${path}`,
  };
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "pipe";
  return stats.isSocket() ? "socket" : "device";
}

function subjectOf(path: string, { what = "file" }: OpenFileOptions): string {
  return `The ${what} ${path}`;
}

function unavailable(subject: string, error: unknown, options: OpenFileOptions): FileFailure {
  const { ifMissing = "correct the path, or create the file" } = options;
  const code = errorCode(error) ?? "unknown error";
  if (code === "ENOENT") return { name: "file.missing", message: `${subject} does not exist: ${ifMissing}.` };
  // A socket cannot be opened.
  if (code === "ENXIO")
    return {
      name: "file.unavailable",
      message: `${subject} is a socket or a device: give the path of a regular file.`,
    };
  return {
    name: "file.unavailable",
    message: `${subject} cannot be read (${code}). Check the path and its permissions.`,
  };
}
