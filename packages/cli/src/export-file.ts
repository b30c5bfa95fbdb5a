import { randomUUID } from "node:crypto";
import { lstat, open, rename, rm } from "node:fs/promises";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { CommandResult } from "./answer.js";
import { type CliFailure, coreFailure, usage } from "./failure.js";
import { writeFailure } from "./read-text.js";

/** Returns the page after a record, or the first page. An empty page ends the export. */
export type NextPage<T> = (after: T | undefined) => ResultAsync<readonly T[], StorageFailure>;

/** Writes all pages of some records to a file, one line per record. */
export function exportTo<T>(
  file: string,
  records: "orders" | "services" | "customers" | "entries",
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): ResultAsync<CommandResult, CliFailure> {
  return new ResultAsync(writeFile(file, lineOf, nextPage)).map((total) => ({
    data: { file, [records]: total },
    text: `Exported ${records}: ${total}. The file is ${file}.`,
  }));
}

/** Writes a file beside `file`, and renames it at the end, so that `file` is never incomplete. */
async function writeFile<T>(
  file: string,
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    // A rename would replace a device such as /dev/stdout, for every program of the machine.
    if (!(await isReplaceable(file)))
      return err(usage(`${file} is not a regular file: give the path of a new or a regular file.`));
    const written = await writeDraft(draft, lineOf, nextPage);
    if (written.isOk()) await rename(draft, file);
    else await rm(draft, { force: true });
    return written;
  } catch (error) {
    await rm(draft, { force: true });
    return err(writeFailure(error));
  }
}

async function isReplaceable(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}

async function writeDraft<T>(
  draft: string,
  lineOf: (record: T) => string,
  nextPage: NextPage<T>,
): Promise<Result<number, CliFailure>> {
  const handle = await open(draft, "wx", 0o600);
  try {
    let total = 0;
    let after: T | undefined;
    for (;;) {
      const page = await nextPage(after);
      if (page.isErr()) return err(coreFailure(page.error));
      total += page.value.length;
      await handle.appendFile(page.value.map((record) => `${lineOf(record)}\n`).join(""));
      after = page.value.at(-1);
      if (after !== undefined) continue;
      await handle.sync();
      return ok(total);
    }
  } finally {
    await handle.close();
  }
}
