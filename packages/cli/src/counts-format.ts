import { err, ok, type Result } from "neverthrow";
import { type CliFailure, usage } from "./failure.js";

/** The parts of a count, which are the columns of Tillkit's own format. */
export const COLUMNS = ["appId", "store", "date", "newDownloads", "updateDownloads"] as const;
export type Column = (typeof COLUMNS)[number];

const DATE_FORMATS = {
  "YYYY-MM-DD": /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
  "MM/DD/YYYY": /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})$/,
  "DD.MM.YYYY": /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4})$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
} as const;
export type DateFormat = keyof typeof DATE_FORMATS;
export const DATE_FORMAT_NAMES = ["YYYY-MM-DD", "MM/DD/YYYY", "DD.MM.YYYY", "YYYYMMDD"] as const;

export const ENCODINGS = ["utf-8", "utf-16", "gbk", "gb18030"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const PRESETS = ["app-store-connect", "google-play"] as const;
export const INSTALLS = ["user", "device"] as const;

/** The format of a file of counts. */
export interface CountsFormat {
  readonly delimiter: string;
  readonly dateFormat: DateFormat;
  /** The name of each column in the file. Absent if the file is in Tillkit's own format. */
  readonly columns?: Readonly<Partial<Record<Column, string>>>;
  /** The store of every line. */
  readonly store?: string;
  /** Whether the lines of a day are added up. */
  readonly sum: boolean;
  /** The separator between the thousands of a number. */
  readonly thousands?: string;
  /** The app of each product. */
  readonly products?: ReadonlyMap<string, string>;
  /** Whether a line has a product type and its units, as in the report of App Store Connect. */
  readonly units: boolean;
}

/** Tillkit's own format. */
export const OWN_FORMAT: CountsFormat = {
  delimiter: ",",
  dateFormat: "YYYY-MM-DD",
  sum: false,
  units: false,
};

/** The options of `tillkit downloads import` that describe a file. */
export interface FormatOptions {
  readonly preset?: (typeof PRESETS)[number] | undefined;
  readonly installs?: (typeof INSTALLS)[number] | undefined;
  readonly map?: string | undefined;
  readonly store?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly dateFormat?: DateFormat | undefined;
  readonly sum?: true | undefined;
  readonly thousands?: string | undefined;
}

/** Returns the format that the options describe, without its products. */
export function formatOf(options: FormatOptions): Result<CountsFormat, CliFailure> {
  const { preset, installs, map, store, delimiter, dateFormat, sum, thousands } = options;
  if (installs !== undefined && preset !== "google-play")
    return err(usage("--installs belongs to --preset google-play."));
  if (preset !== undefined) {
    const described = map ?? delimiter ?? dateFormat ?? sum ?? thousands;
    if (described !== undefined)
      return err(
        usage("--preset describes the file: omit --map, --delimiter, --date-format, --sum and --thousands."),
      );
    return ok(preset === "app-store-connect" ? appStoreConnect(store) : googlePlay(store, installs));
  }
  const between = delimiter === "tab" ? "\t" : (delimiter ?? OWN_FORMAT.delimiter);
  if (between.length !== 1 || /["\r\n]/.test(between))
    return err(usage("--delimiter is one character, or the word tab."));
  if (thousands !== undefined && (thousands.length !== 1 || /[\d-]/.test(thousands)))
    return err(usage("--thousands is one character, such as a comma."));
  return columnsOf(map).map((columns) => ({
    delimiter: between,
    dateFormat: dateFormat ?? OWN_FORMAT.dateFormat,
    sum: sum === true,
    units: false,
    ...(columns && { columns }),
    ...(store !== undefined && { store }),
    ...(thousands !== undefined && { thousands }),
  }));
}

function appStoreConnect(store = "App Store"): CountsFormat {
  return {
    delimiter: "\t",
    dateFormat: "MM/DD/YYYY",
    store,
    sum: true,
    units: true,
    columns: { appId: "Apple Identifier", date: "Begin Date" },
  };
}

function googlePlay(store = "Google Play", installs: (typeof INSTALLS)[number] = "user"): CountsFormat {
  return {
    delimiter: ",",
    dateFormat: "YYYY-MM-DD",
    store,
    sum: false,
    units: false,
    columns: {
      appId: "Package Name",
      date: "Date",
      updateDownloads: "Daily Device Upgrades",
      newDownloads: installs === "user" ? "Daily User Installs" : "Daily Device Installs",
    },
  };
}

/** Reads the value of `--map`, such as `date=Datum,newDownloads=Installs`. */
function columnsOf(map: string | undefined): Result<CountsFormat["columns"], CliFailure> {
  if (map === undefined) return ok(undefined);
  const columns: Partial<Record<Column, string>> = {};
  for (const pair of map.split(",")) {
    const [name = "", ...rest] = pair.split("=");
    const column = COLUMNS.find((one) => one === name.trim());
    const named = rest.join("=").trim();
    if (column === undefined || named === "" || columns[column] !== undefined)
      return err(usage(`--map needs column=name, each of ${COLUMNS.join(", ")} at most once.`));
    columns[column] = named;
  }
  return ok(columns);
}

/** Returns a date of the file as `YYYY-MM-DD`, or undefined if it is in another format. */
export function dateIn(text: string, format: DateFormat): string | undefined {
  const groups = DATE_FORMATS[format].exec(text)?.groups;
  return groups && `${groups["year"]}-${groups["month"]}-${groups["day"]}`;
}

const NEW_TYPES = new Set(["1", "1F", "1T", "1E", "1EP", "1EU", "F1"]);
const UPDATE_TYPES = new Set(["7", "7F", "7T", "F7"]);
/** Re-downloads, bundles of apps, and in-app purchases. */
const OTHER_TYPES = /^(?:F?3[FT]?|F?1-B|IA.*|FI.*)$/;

/** Returns the count to which units of a product type belong, or undefined for an unknown type. */
export function unitsOf(type: string): "newDownloads" | "updateDownloads" | "other" | undefined {
  if (NEW_TYPES.has(type)) return "newDownloads";
  if (UPDATE_TYPES.has(type)) return "updateDownloads";
  return OTHER_TYPES.test(type) ? "other" : undefined;
}
