import { type DailyCount, dailyCountInput, parseInput, textOfSpreadsheet } from "@tillkit/core";
import { failureMessage } from "@tillkit/core/errors";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { reasonOf } from "./failure.js";
import type { Input } from "./input-file.js";
import { type LineProblem, SHOWN_PROBLEMS } from "./problem-report.js";

const COLUMNS = ["appId", "store", "date", "newDownloads", "updateDownloads"] as const;
type Column = (typeof COLUMNS)[number];

const BATCH = 1_000;

/** The counts in a CSV file, and the problems found while reading it. */
export interface CsvCounts {
  /**
   * The counts as they are read.
   *
   * After the first wrong line the iteration yields no more counts, and throws at the end of the
   * file.
   */
  readonly batches: AsyncIterable<readonly DailyCount[]>;
  readonly problems: { readonly total: number; readonly first: readonly LineProblem[] };
}

const record = z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) });

/** Options of {@link openCsvCounts}. */
export interface CsvCountsOptions {
  /** A count of a later day is a wrong line. `YYYY-MM-DD`. */
  readonly lastDay?: string;
  /** Receives every problem. */
  readonly onProblem?: (line: number, message: string) => void;
}

/**
 * Reads counts from a CSV file whose first line names its columns.
 *
 * @param appId - the app of every line, for a file without an `appId` column.
 */
export function openCsvCounts(
  { stream }: Input,
  appId: string | undefined,
  { lastDay = "9999-12-31", onProblem }: CsvCountsOptions = {},
): CsvCounts {
  const problems = { total: 0, first: new Array<LineProblem>() };
  const reportProblem = (line: number, message: string): void => {
    problems.total += 1;
    onProblem?.(line, message);
    if (problems.first.length < SHOWN_PROBLEMS) problems.first.push({ line, message });
  };
  // A stream error before the first read would end the process if it had no listener. `read`
  // rethrows it.
  stream.on("error", () => undefined);
  return { batches: read(), problems };

  async function* read(): AsyncGenerator<readonly DailyCount[]> {
    if (stream.errored !== null) throw stream.errored;
    const rows = stream
      .on("error", (error) => rows.destroy(error))
      .pipe(
        parse({
          bom: true,
          info: true,
          relax_column_count: true,
          skip_empty_lines: true,
          max_record_size: 65_536,
        }),
      );
    let places: ReadonlyMap<Column, number> | undefined;
    let columns = 0;
    let batch: DailyCount[] = [];
    try {
      for await (const row of rows) {
        const { record: fields, info } = record.parse(row);
        // Bytes that are not UTF-8 decode to U+FFFD. Two store names could become equal, and one
        // store's counts would overwrite the other's.
        if (fields.some((field) => field.includes("\uFFFD"))) {
          reportProblem(info.lines, "the line is not UTF-8 text: save the file as UTF-8, uncompressed");
          if (places === undefined) break;
          continue;
        }
        if (places === undefined) {
          columns = fields.length;
          places = placesIn(fields, appId, (message) => reportProblem(info.lines, message));
          continue;
        }
        // An extra field comes from an unquoted comma, so the counts would be read from wrong
        // columns.
        if (fields.length > columns) {
          reportProblem(
            info.lines,
            `the line has ${fields.length} fields, and the first line names ${columns}`,
          );
          continue;
        }
        const count = countIn(fields, places, appId);
        if (typeof count === "string") reportProblem(info.lines, count);
        else if (count.date > lastDay) reportProblem(info.lines, "the date is in the future");
        else batch.push(count);
        if (batch.length === BATCH) {
          if (problems.total === 0) yield batch;
          batch = [];
        }
      }
    } catch (error) {
      // A parser error ends the reading, because the start of the next line is unknown.
      if (!(error instanceof CsvError)) throw error;
      reportProblem(rows.info.lines, reasonOf(error));
    }
    if (places === undefined && problems.total === 0)
      reportProblem(1, "the file is empty: its first line must name the columns");
    if (problems.total > 0) throw new Error("The file has wrong lines.");
    if (batch.length > 0) yield batch;
  }
}

function placesIn(
  header: readonly string[],
  appId: string | undefined,
  reportProblem: (message: string) => void,
): ReadonlyMap<Column, number> {
  const names = header.map((name) => name.trim());
  const places = new Map<Column, number>();
  for (const column of COLUMNS) {
    const place = names.indexOf(column);
    if (place >= 0) places.set(column, place);
    if (names.lastIndexOf(column) !== place) reportProblem(`the column ${column} occurs twice`);
    if (place >= 0 && column === "appId" && appId !== undefined)
      reportProblem("the file has the column appId and --app is set: use one of the two");
    if (place < 0 && (column !== "appId" || appId === undefined))
      reportProblem(`the column ${column} is missing${column === "appId" ? ", and --app is not set" : ""}`);
  }
  return places;
}

/** Returns the count in a line, or what is wrong with the line. */
function countIn(
  fields: readonly string[],
  places: ReadonlyMap<Column, number>,
  appId: string | undefined,
): DailyCount | string {
  const text = (column: Column): string | undefined => fields[places.get(column) ?? -1]?.trim();
  // The operators' page writes an apostrophe before a name that a spreadsheet would change.
  const name = (column: Column): string | undefined => {
    const cell = text(column);
    return cell === undefined ? undefined : textOfSpreadsheet(cell);
  };
  const number = (column: Column): number | undefined => {
    const digits = text(column);
    if (digits === undefined || digits === "") return undefined;
    return /^\d+$/.test(digits) ? Number(digits) : NaN;
  };
  return parseInput(dailyCountInput(), {
    appId: appId ?? name("appId"),
    store: name("store"),
    date: text("date"),
    newDownloads: number("newDownloads"),
    updateDownloads: number("updateDownloads"),
  }).match<DailyCount | string>(
    (count) => count,
    (problem) => failureMessage(problem, "en"),
  );
}
