import type { Readable } from "node:stream";
import { decodeText, jsonProblemText, parseStrictJson } from "@tillkit/core/text";
import { type FileFailure, openFile, readTextFile, type ReadTextFileOptions } from "@tillkit/runtime";
import { err, ResultAsync } from "neverthrow";
import { type CliFailure, failure, reasonOf, usage } from "./failure.js";
import type { Io } from "./io.js";

/** The maximum size of a text on standard input: 1 MiB. */
const MAX_BYTES = 2 ** 20;

/** Reads the text of a file that a person wrote, or of standard input for `-`. */
export function readText(
  { stdin }: Pick<Io, "stdin">,
  file: string,
  options: ReadTextFileOptions = {},
): ResultAsync<string, CliFailure> {
  if (file !== "-") return readTextFile(file, options).mapErr(openFailure);
  return ResultAsync.fromPromise(firstBytes(stdin), fileFailure).andThen((bytes) => {
    const text =
      bytes.length > MAX_BYTES ? err(`is larger than ${String(MAX_BYTES)} bytes`) : decodeText(bytes);
    return text.mapErr((problem) => usage(`Standard input ${problem}.`));
  });
}

/** Reads standard input until it ends, or until more than `MAX_BYTES` bytes were read. */
async function firstBytes(stdin: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk), "utf8");
    chunks.push(bytes);
    length += bytes.length;
    if (length > MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** A JSON file that a command reads. */
export interface JsonFile extends ReadTextFileOptions {
  readonly what: string;
  /** The command whose help describes the file, such as `tillkit pay-tools set`. */
  readonly command: string;
}

/**
 * Reads a JSON file that a person wrote, or standard input for `-`.
 *
 * The messages contain no value of the file, which may contain keys.
 */
export function readJson(
  io: Pick<Io, "stdin">,
  file: string,
  options: JsonFile,
): ResultAsync<unknown, CliFailure> {
  return readText(io, file, options).andThen((text) =>
    parseStrictJson(text).mapErr((problems) => {
      const what = problems.map(jsonProblemText).join("; ");
      return usage(`The ${options.what} is not valid: ${what}. See \`${options.command} --help\`.`);
    }),
  );
}

/** Opens a file that a person gave. */
export function openGiven(file: string) {
  return openFile(file).mapErr(openFailure);
}

/** Creates the failure for a file that cannot be opened or is not text. */
function openFailure({ name, message }: FileFailure): CliFailure {
  switch (name) {
    case "file.invalid":
      return usage(message);
    case "file.exposed":
      return failure("unavailable", name, message);
    case "file.missing":
    case "file.unavailable":
      return failure("unavailable", "file.unreadable", message);
  }
}

/** Creates the failure for a file that cannot be written. */
export function writeFailure(cause: unknown): CliFailure {
  return failure("unavailable", "file.unwritable", `The file cannot be written: ${reasonOf(cause)}.`);
}

/** Creates the failure for a file whose reading failed. */
export function fileFailure(cause: unknown): CliFailure {
  if (cause instanceof EncodingError) return usage(`The file ${cause.message}.`);
  return failure("unavailable", "file.unreadable", `The file cannot be read: ${reasonOf(cause)}.`);
}

/** A stream is not UTF-8 text. The message is the rest of a sentence about the file. */
export class EncodingError extends Error {}
