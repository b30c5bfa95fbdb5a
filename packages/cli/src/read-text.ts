import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ResultAsync } from "neverthrow";
import { type CliFailure, failure, reasonOf } from "./failure.js";
import type { Io } from "./io.js";

/** Reads the text of a file, or of standard input for `-`. */
export function readText({ stdin }: Pick<Io, "stdin">, file: string): ResultAsync<string, CliFailure> {
  const read = file === "-" ? text(stdin) : readFile(file, "utf8");
  return ResultAsync.fromPromise(read, (error) => fileFailure(error));
}

/** Creates the failure for a file that cannot be written. */
export function writeFailure(cause: unknown): CliFailure {
  return failure("unavailable", "file.unwritable", `The file cannot be written: ${reasonOf(cause)}.`);
}

/** Creates the failure for a file that cannot be read. */
export function fileFailure(cause: unknown): CliFailure {
  return failure("unavailable", "file.unreadable", `The file cannot be read: ${reasonOf(cause)}.`);
}
