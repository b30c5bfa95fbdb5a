import { err, ok, type Result } from "neverthrow";
import { columns, type Fields } from "./columns.js";

/** Describes a table whose free text may contain the field separator, unquoted. */
export interface RowForm<K extends string> {
  /** Header names of the required columns, by the adapter's own names. Excludes free text. */
  readonly names: Readonly<Record<K, string>>;
  /** The header names of the free-text columns. A table may lack some of them. */
  readonly free: readonly string[];
  /**
   * Patterns that fields of the other columns must match.
   *
   * A column without a pattern accepts any text without a separator.
   */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

/** Why a row cannot be read, and the fields that are certain nevertheless. */
export interface UnreadableBillRow<K extends string> {
  /** The reason, without any text of the row. */
  readonly problem: string;
  readonly known: (column: K) => string | undefined;
}

/** Reads the fields of one row. */
export type BillRowReader<K extends string> = (
  fields: readonly string[],
) => Result<Fields<K>, UnreadableBillRow<K>>;

/** Maximum number of excess separators in one row. A row with more is unreadable. */
const MOST_IN_EXCESS = 1_024;

/**
 * Creates the reader of a table from its header row.
 *
 * A row with as many fields as columns is read by position. A row with more fields has the
 * separator inside free text. Then the reader matches the other columns from both ends by their
 * patterns. It accepts the row if every required column can have only one text.
 */
export function billRowReader<K extends string>(
  header: readonly string[],
  { names, free, patterns }: RowForm<K>,
): Result<BillRowReader<K>, string> {
  const isFree = header.map((name) => free.includes(name));
  const patternOf = new Map(Object.entries(patterns));
  const fits = (column: number, text: string) => patternOf.get(header[column] ?? "")?.test(text) ?? true;
  const firstFree = isFree.includes(true) ? isFree.indexOf(true) : header.length;
  const unreadable = (problem: string, known: (column: K) => string | undefined) =>
    err<never, UnreadableBillRow<K>>({ problem, known });

  /**
   * Returns fields before the first free-text column, if all of them match their patterns.
   *
   * Excludes the last field of the row, which may be truncated.
   */
  const before = (fields: readonly string[]) => {
    const end = Math.min(firstFree, fields.length - 1);
    const isSound = fields.slice(0, Math.max(end, 0)).every((text, column) => fits(column, text));
    return (column: K) => {
      const place = header.indexOf(names[column]);
      return isSound && place < end ? fields[place] : undefined;
    };
  };

  return columns(header, names).map((byPlace) => (fields) => {
    const excess = fields.length - header.length;
    if (excess === 0) return ok(byPlace(fields));
    const problem = `it has ${fields.length} fields instead of ${header.length}`;
    if (excess < 0 || excess > MOST_IN_EXCESS) return unreadable(problem, before(fields));
    const textsOf = alignments(fields, isFree, fits);
    if (textsOf === undefined) return unreadable(problem, before(fields));
    const only = (column: K) => {
      const texts = textsOf(header.indexOf(names[column]));
      return texts.size === 1 ? [...texts][0] : undefined;
    };
    if (Object.values<string>(names).some((name) => textsOf(header.indexOf(name)).size !== 1))
      return unreadable("its fields can be assigned to the columns in more than one way", only);
    return ok((column) => only(column) ?? "");
  });
}

/**
 * Returns the texts that each column can have, over all possible alignments of a row.
 *
 * In an alignment a free-text column takes one or more fields. Every other column takes exactly one
 * field that matches its pattern.
 * @returns `undefined` if the row has no alignment.
 */
function alignments(
  fields: readonly string[],
  isFree: readonly boolean[],
  fits: (column: number, text: string) => boolean,
): ((column: number) => ReadonlySet<string>) | undefined {
  const width = isFree.length;
  const excess = fields.length - width;
  const shifts = Array.from({ length: excess + 1 }, (_, shift) => shift);
  const stands = (column: number, shift: number) => fits(column, fields[column + shift] ?? "");
  // reach[c][s]: columns 0 to c - 1 can take the first c + s fields.
  const reach = [shifts.map((shift) => shift === 0)];
  for (let column = 0; column < width; column += 1) {
    const from = reach[column] ?? [];
    let some = false;
    reach.push(
      shifts.map((shift) => {
        some ||= from[shift] === true;
        return isFree[column] === true ? some : from[shift] === true && stands(column, shift);
      }),
    );
  }
  // ahead[c][s]: columns c to the last can take the fields from c + s on.
  const ahead: boolean[][] = Array.from({ length: width + 1 }, () => []);
  ahead[width] = shifts.map((shift) => shift === excess);
  for (let column = width - 1; column >= 0; column -= 1) {
    const to = ahead[column + 1] ?? [];
    let some = false;
    const here: boolean[] = [];
    for (const shift of shifts.toReversed()) {
      some ||= to[shift] === true;
      here[shift] = isFree[column] === true ? some : to[shift] === true && stands(column, shift);
    }
    ahead[column] = here;
  }
  if (ahead[0]?.[0] !== true) return undefined;
  return (column) =>
    new Set(
      shifts.flatMap((shift) =>
        reach[column]?.[shift] === true && ahead[column]?.[shift] === true
          ? [fields[column + shift] ?? ""]
          : [],
      ),
    );
}
