import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { errorCode, type StorageFailure } from "@tillkit/core/errors";
import { followLinks } from "@tillkit/runtime";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "./answer.js";
import { type CliFailure, coreFailure, usage } from "./failure.js";
import type { Io } from "./io.js";
import { writeFailure } from "./read-text.js";

/** Returns the page after a record, or the first page. An empty page ends the export. */
export type NextPage<T> = (after: T | undefined) => ResultAsync<readonly T[], StorageFailure>;

/** The argument of a command that exports. */
export const EXPORT_FILE_ARGUMENT = [
  "<file>",
  "the JSON Lines file to write, - for standard output; an existing file is replaced at the end",
] as const;

/**
 * Writes all pages of some records to a file, one line per record, or to standard output for `-`.
 *
 * With standard output, the text of the result goes to standard error. If the reader of a pipe
 * ends, the export ends too.
 */
export function exportTo<T>(
  { stdout }: Pick<Io, "stdout">,
  file: string,
  records: "orders" | "refunds" | "settlements" | "services" | "customers" | "entries",
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): ResultAsync<CommandResult, CliFailure> {
  return writeTo({ stdout }, file, (record) => `${lineOf(record)}\n`, nextPage).map((total) => ({
    data: { file, [records]: total },
    text: `Exported ${records}: ${total}.${file === "-" ? "" : ` The file is ${file}.`}`,
    toStderr: file === "-",
  }));
}

/**
 * Writes the texts of all pages to a file, or to standard output for `-`.
 *
 * A failure with standard output goes to standard error.
 *
 * @returns the number of records.
 */
export function writeTo<T>(
  { stdout }: Pick<Io, "stdout">,
  file: string,
  textOf: (record: T) => string,
  nextPage: NextPage<T>,
): ResultAsync<number, CliFailure> {
  if (file !== "-") return new ResultAsync(writeFile(file, textOf, nextPage));
  return new ResultAsync(writeTexts(partWriter(stdout), textOf, nextPage)).mapErr((problem) => ({
    ...problem,
    toStderr: true,
  }));
}

/** Writes a part, and returns whether the reader wants more. Rejects if it cannot be written. */
type WritePart = (part: string) => Promise<boolean>;

function partWriter(stream: Writable): WritePart {
  return (part) =>
    new Promise((resolve, reject) => {
      stream.write(part, (error) => {
        if (error === null || error === undefined) resolve(true);
        // EPIPE: a reader such as `head` has ended. ERR_STREAM_DESTROYED: the stream has failed
        // before.
        else if ("code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED"))
          resolve(false);
        else reject(error);
      });
    });
}

async function writeTexts<T>(
  write: WritePart,
  textOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  let total = 0;
  let after: T | undefined;
  try {
    for (;;) {
      const page = await nextPage(after);
      if (page.isErr()) return err(coreFailure(page.error));
      after = page.value.at(-1);
      if (after === undefined) return ok(total);
      if (!(await write(page.value.map(textOf).join("")))) return ok(total);
      total += page.value.length;
    }
  } catch (error) {
    return err(writeFailure(error));
  }
}

/**
 * Writes a file beside `file`, and renames it at the end, so that `file` is never incomplete.
 *
 * Replaces the file that a symbolic link points to.
 */
async function writeFile<T>(
  file: string,
  textOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  let draft: string | undefined;
  try {
    // A rename would replace a device such as /dev/stdout, for every program of the machine.
    if (!(await isReplaceable(file)))
      return err(usage(`${file} is not a regular file: give the path of a new or a regular file.`));
    const target = await followLinks(file);
    draft = `${target}.${randomUUID()}.part`;
    const written = await writeDraft(draft, textOf, nextPage);
    if (written.isOk()) await rename(draft, target);
    else await rm(draft, { force: true });
    return written;
  } catch (error) {
    if (draft !== undefined) await rm(draft, { force: true });
    return err(writeFailure(error));
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}

async function writeDraft<T>(
  draft: string,
  textOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  const handle = await open(draft, "wx", 0o600);
  try {
    const write: WritePart = async (part) => {
      await handle.appendFile(part);
      return true;
    };
    const written = await writeTexts(write, textOf, nextPage);
    if (written.isOk()) await handle.sync();
    return written;
  } finally {
    await handle.close();
  }
}
