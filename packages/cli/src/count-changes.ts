import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { CountChange, UpsertedCounts } from "@tillkit/core/ports";
import { visibleLine } from "@tillkit/core/text";
import { err, ok, type Result } from "neverthrow";
import type { CommandResult } from "./answer.js";
import type { CliFailure } from "./failure.js";
import { writeFailure } from "./read-text.js";
import { counted } from "./counted.js";

/** The option that names the file of the changed days. */
export const CHANGES_OPTION = [
  "--changes <file>",
  "the JSON Lines file that gets every new and changed day; the screen shows the first 20",
] as const;

/** The number of changed days on the screen and in the result. */
const SHOWN_CHANGES = 20;
/** The file is written in parts of about this size, in characters. */
const PART = 65_536;

/** Receives the days that an import changes. */
export interface CountChanges {
  /** Takes one day. Throws if the file cannot be written. */
  report(change: CountChange): void;
  /** Ends the report, and returns the outcome of the import. Throws like `report`. */
  end(upserted: UpsertedCounts): CommandResult;
  /** Empties the file, because the import failed and changed nothing. */
  abandon(): void;
}

/** Opens a report of changed days, which writes all of them to `file`. */
export function openCountChanges(file: string | undefined): Result<CountChanges, CliFailure> {
  const first = new Array<CountChange>();
  let waiting = "";
  let handle: number | undefined;
  const flush = (): void => {
    if (handle !== undefined) writeSync(handle, waiting);
    waiting = "";
  };
  try {
    if (file !== undefined) handle = openSync(file, "w", 0o600);
  } catch (error) {
    return err(writeFailure(error));
  }
  return ok({
    report: (change) => {
      if (first.length < SHOWN_CHANGES) first.push(change);
      if (handle === undefined) return;
      waiting += `${JSON.stringify(change)}\n`;
      if (waiting.length >= PART) flush();
    },
    abandon: () => {
      if (handle === undefined) return;
      ftruncateSync(handle);
      closeSync(handle);
    },
    end: (upserted) => {
      if (handle !== undefined) {
        flush();
        fsyncSync(handle);
        closeSync(handle);
      }
      const { written, added, changed, unchanged } = upserted;
      const more = changed - first.length;
      return {
        data: { ...upserted, changes: { first, ...(file === undefined ? {} : { file }) } },
        text: [
          `${counted(written, "count")} read: ${counted(added, "day")} new, ${changed - added} changed, ${unchanged} unchanged.`,
          ...first.map(changeLine),
          ...(more > 0
            ? [
                file === undefined
                  ? `${counted(more, "more new or changed day")}. --changes <file> writes all of them to a file.`
                  : `${counted(more, "more new or changed day")}: see ${file}.`,
              ]
            : []),
        ].join("\n"),
      };
    },
  });
}

function changeLine({ appId, store, date, before, ...after }: CountChange): string {
  const counts = ({ newDownloads, updateDownloads }: typeof after) =>
    `${newDownloads} new, ${counted(updateDownloads, "update")}`;
  const was = before === undefined ? "" : `${counts(before)} → `;
  return visibleLine(`  ${appId} ${store} ${date}: ${was}${counts(after)}`);
}
