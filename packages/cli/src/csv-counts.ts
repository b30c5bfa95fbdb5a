import { type DailyCount, parseInput } from "@tillkit/core";
import { failureMessage } from "@tillkit/core/errors";
import { dailyCountInput, storeKey, textOfSpreadsheet } from "@tillkit/core/operators";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { type Column, COLUMNS, type CountsFormat, dateIn, OWN_FORMAT, unitsOf } from "./counts-format.js";
import { reasonOf } from "./failure.js";
import type { Input } from "./input-file.js";
import { type LineProblem, SHOWN_PROBLEMS } from "./problem-report.js";
import { counted } from "./counted.js";

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
  /** The last accepted day, `YYYY-MM-DD`. A line with a later day is wrong. */
  readonly lastDay?: string;
  /** The format of the file. Defaults to Tillkit's own format. */
  readonly format?: CountsFormat;
  /** Returns the store that a spelling names, so that all lines of one store are added up. */
  readonly storeOf?: (name: string) => string | undefined;
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
  {
    lastDay = "9999-12-31",
    format = OWN_FORMAT,
    storeOf = () => undefined,
    onProblem,
  }: CsvCountsOptions = {},
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
          delimiter: format.delimiter,
          // The report of App Store Connect quotes no fields, and a title may contain a quote.
          quote: format.units ? null : '"',
          info: true,
          relax_column_count: true,
          skip_empty_lines: true,
          max_record_size: 65_536,
        }),
      );
    let places: Places | undefined;
    let columns = 0;
    let batch: DailyCount[] = [];
    const sums = new Map<string, { readonly count: DailyCount; readonly line: number }>();
    // All spellings of an unknown store have the same `storeKey`.
    const keyOf = ({ appId, store, date }: DailyCount): string =>
      JSON.stringify([appId, storeOf(store) ?? [storeKey(store)], date]);
    const lines = new Map<string, number>();
    // In Tillkit's own format, a later line replaces an earlier line of the same day. In the export
    // of a store, two such lines are parts of the day.
    const isExport = format.columns !== undefined || format.store !== undefined;
    let product: string | undefined;
    try {
      for await (const row of rows) {
        const { record: fields, info } = record.parse(row);
        // Bytes that are not UTF-8 decode to U+FFFD. Two store names could become equal, and one
        // store's counts would overwrite the other's.
        if (fields.some((field) => field.includes("\uFFFD"))) {
          reportProblem(
            info.lines,
            "the line is not text in the encoding: set --encoding, or save the file as UTF-8",
          );
          if (places === undefined) break;
          continue;
        }
        if (places === undefined) {
          columns = fields.length;
          places = placesIn(fields, format, appId, (message) => reportProblem(info.lines, message));
          continue;
        }
        // An extra field comes from an unquoted comma, so the counts would be read from wrong
        // columns.
        if (fields.length > columns) {
          reportProblem(
            info.lines,
            `the line has ${counted(fields.length, "field")}, and the first line names ${columns}`,
          );
          continue;
        }
        const cells = cellsOf(fields, places);
        const count = countIn(cells, format, appId);
        if (count === undefined) continue;
        // With --app, all lines belong to one app. Without this check, the counts of several
        // products would overwrite each other.
        const other = format.columns && appId !== undefined ? cells(nameOf("appId", format)) : undefined;
        product ??= other;
        if (typeof count === "string") reportProblem(info.lines, count);
        else if (count.date > lastDay) reportProblem(info.lines, "the date is in the future");
        else if (other !== product)
          reportProblem(info.lines, "the file has several products: use --products instead of --app");
        else if (format.sum) {
          const key = keyOf(count);
          sums.set(key, { count: sumOf(count, sums.get(key)?.count), line: info.lines });
        } else if (isExport && lines.has(keyOf(count)))
          reportProblem(
            info.lines,
            `line ${lines.get(keyOf(count))} has the same app, store and day: export one line a day, or use --sum`,
          );
        else {
          if (isExport) lines.set(keyOf(count), info.lines);
          batch.push(count);
        }
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
    for (const { count, line } of sums.values())
      if (typeof checked({ ...count }) === "string")
        reportProblem(line, `the sum of ${count.date} is not a count of 0 or more`);
    if (places === undefined && problems.total === 0)
      reportProblem(1, "the file is empty: its first line must name the columns");
    if (problems.total > 0) throw new Error("The file has wrong lines.");
    for (const { count } of sums.values()) {
      batch.push(count);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

/** The place of each column, by its name in the file. */
type Places = ReadonlyMap<string, number>;
/** Returns the field of a column. */
type Cells = (name: string | undefined) => string | undefined;

const UNITS = { type: "Product Type Identifier", units: "Units", end: "End Date", sku: "SKU" } as const;

function placesIn(
  header: readonly string[],
  format: CountsFormat,
  appId: string | undefined,
  reportProblem: (message: string) => void,
): Places {
  const names = header.map((name) => name.trim());
  const places = new Map<string, number>();
  const find = (name: string, isNeeded: boolean, hint = ""): void => {
    const place = names.indexOf(name);
    if (place >= 0) places.set(name, place);
    if (names.lastIndexOf(name) !== place) reportProblem(`the column ${name} occurs twice`);
    if (place < 0 && isNeeded) reportProblem(`the column ${name} is missing${hint}`);
  };
  for (const column of COLUMNS) {
    const name = nameOf(column, format);
    if (name === undefined) continue;
    if (column === "appId") {
      find(name, appId === undefined, ", and --app is not set");
      if (format.columns === undefined && places.has(name) && appId !== undefined)
        reportProblem("the file has the column appId and --app is set: use one of the two");
    } else find(name, true);
  }
  if (format.units) for (const name of Object.values(UNITS)) find(name, name !== UNITS.sku);
  return places;
}

/** Returns the name of a column in the file, or undefined if the file does not have it. */
function nameOf(column: Column, { columns, store, units }: CountsFormat): string | undefined {
  if (column === "store" && store !== undefined) return undefined;
  if (units && (column === "newDownloads" || column === "updateDownloads")) return undefined;
  return columns?.[column] ?? column;
}

function cellsOf(fields: readonly string[], places: Places): Cells {
  return (name) => fields[places.get(name ?? "") ?? -1]?.trim();
}

/** Returns the count in a line, what is wrong with the line, or undefined if it is ignored. */
function countIn(
  cell: Cells,
  format: CountsFormat,
  appId: string | undefined,
): DailyCount | string | undefined {
  const text = (column: Column): string | undefined => cell(nameOf(column, format));
  // The operators' page writes an apostrophe before a name that a spreadsheet would change.
  const name = (column: Column): string | undefined => {
    const field = text(column);
    return field === undefined ? undefined : textOfSpreadsheet(field);
  };
  const number = (column: Column): number | undefined => numberIn(text(column), format.thousands);
  const downloads = format.units
    ? unitsIn(cell)
    : { newDownloads: number("newDownloads"), updateDownloads: number("updateDownloads") };
  if (downloads === undefined || typeof downloads === "string") return downloads;
  const date = text("date");
  const day = date === undefined || date === "" ? undefined : dateIn(date, format.dateFormat);
  if (date !== undefined && date !== "" && day === undefined && format.dateFormat !== "YYYY-MM-DD")
    return `the date is not ${format.dateFormat}`;
  const product = name("appId");
  const app =
    appId ??
    (format.products === undefined
      ? product
      : (format.products.get(product ?? "") ?? format.products.get(cell(UNITS.sku) ?? "")));
  if (app === undefined && format.products !== undefined)
    return "the product is not in the file of --products";
  const { newDownloads, updateDownloads } = downloads;
  const rest = { appId: app, store: format.store ?? name("store"), date: day ?? date };
  // A return has negative units, so only the sum of its day must be 0 or more. `read` checks the
  // sums at the end of the file.
  if (!format.units) return checked({ ...rest, newDownloads, updateDownloads });
  const valid = checked({ ...rest, newDownloads: 0, updateDownloads: 0 });
  return typeof valid === "string"
    ? valid
    : { ...valid, newDownloads: newDownloads ?? 0, updateDownloads: updateDownloads ?? 0 };
}

/** Returns a count, or what is wrong with it. */
function checked(count: Readonly<Record<string, unknown>>): DailyCount | string {
  return parseInput(dailyCountInput(), count).match<DailyCount | string>(
    (valid) => valid,
    (problem) => failureMessage(problem, "en"),
  );
}

function numberIn(digits: string | undefined, thousands: string | undefined): number | undefined {
  if (digits === undefined || digits === "") return undefined;
  const groups = thousands === undefined ? [digits] : digits.split(thousands);
  const [first = "", ...rest] = groups;
  const isWhole = /^\d+$/.test(first) && rest.every((group) => /^\d{3}$/.test(group));
  return isWhole && (rest.length === 0 || first.length <= 3) ? Number(groups.join("")) : NaN;
}

/** Returns the downloads in a line of App Store Connect, whose units are negative for returns. */
function unitsIn(cell: Cells): Pick<DailyCount, "newDownloads" | "updateDownloads"> | string | undefined {
  const kind = unitsOf(cell(UNITS.type) ?? "");
  if (kind === undefined) return "the product type identifier is unknown";
  if (kind === "other") return undefined;
  if (cell(UNITS.end) !== cell("Begin Date")) return "the line is not of one day: export the daily report";
  const units = cell(UNITS.units) ?? "";
  if (!/^-?\d{1,15}(?:\.0+)?$/.test(units)) return "the units are not a whole number";
  return { newDownloads: 0, updateDownloads: 0, [kind]: Number(units) };
}

function sumOf(count: DailyCount, earlier: DailyCount | undefined): DailyCount {
  return {
    ...(earlier ?? count),
    newDownloads: count.newDownloads + (earlier?.newDownloads ?? 0),
    updateDownloads: count.updateDownloads + (earlier?.updateDownloads ?? 0),
  };
}
