import { closeSync, fsyncSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { visibleLine } from "@tillkit/core/text";
import { err, ok, type Result } from "neverthrow";
import type { CliFailure } from "./failure.js";
import { writeFailure } from "./read-text.js";
import { counted } from "./counted.js";

/** The option that names the file of the wrong lines. */
export const ERRORS_OPTION = [
  "--errors <file>",
  "the file that gets the number and the problem of every wrong line; without it, a temporary file gets them if there are more than 20",
] as const;

/** The number of problems on the screen and in the result. A file gets every problem. */
export const SHOWN_PROBLEMS = 20;
/** The file is written in parts of about this size, in characters. */
const PART = 65_536;

/** What is wrong with one line of a file. */
export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** All problems of a file: their number, the first ones, and the file with all of them. */
export interface Problems {
  readonly total: number;
  readonly first: readonly LineProblem[];
  /** Absent if the result has every problem, and no file was named. */
  readonly file?: string;
}

/** Receives the problems of a file, in the order of its lines. */
export interface ProblemReport {
  /** Returns whether the screen should show the problem. */
  report(line: number, message: string): boolean;
  /** Ends the report. Throws if the file cannot be written. */
  end(): Problems;
}

/**
 * Opens a report of wrong lines.
 *
 * Every problem is written to `file`. Without `file`, a file in a new temporary folder gets the
 * problems if there are more than the screen shows. Only the owner can read the file, because a
 * message may name a member of a line.
 */
export function openProblemReport(file: string | undefined): Result<ProblemReport, CliFailure> {
  const first = new Array<LineProblem>();
  let total = 0;
  let waiting = "";
  let open: { readonly path: string; readonly handle: number } | undefined;
  const flush = (handle: number): void => {
    writeSync(handle, waiting);
    waiting = "";
  };
  try {
    if (file !== undefined) open = { path: file, handle: openSync(file, "w", 0o600) };
  } catch (error) {
    return err(writeFailure(error));
  }
  return ok({
    report: (line, message) => {
      total += 1;
      waiting += `${problemLine({ line, message })}\n`;
      if (total <= SHOWN_PROBLEMS) first.push({ line, message });
      else if (open === undefined) {
        const path = join(mkdtempSync(join(tmpdir(), "tillkit-errors-")), "errors.txt");
        open = { path, handle: openSync(path, "wx", 0o600) };
      }
      if (open !== undefined && waiting.length >= PART) flush(open.handle);
      return total <= SHOWN_PROBLEMS;
    },
    end: () => {
      if (open === undefined) return { total, first };
      flush(open.handle);
      fsyncSync(open.handle);
      closeSync(open.handle);
      return { total, first, file: open.path };
    },
  });
}

/** Returns the text of a problem, in one line. */
export function problemLine({ line, message }: LineProblem): string {
  return visibleLine(`line ${line}: ${message}`);
}

/** Returns the sentence about the problems that the screen does not show, or nothing. */
export function moreProblems({ total, first, file }: Problems): readonly string[] {
  if (file === undefined || total <= first.length) return [];
  return [`${counted(total - first.length, "more wrong line")}: see ${file}.`];
}
