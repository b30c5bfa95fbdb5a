import { err, ok, type Result } from "neverthrow";
import { columns, type Fields } from "./columns.js";

/** The form of a table whose separator may also stand inside free text, unquoted. */
export interface RowForm<K extends string> {
  /** What the table calls the columns that count, by names of our own. None of them is free text. */
  readonly names: Readonly<Record<K, string>>;
  /** What the table calls its columns of free text. A table may lack some of them. */
  readonly free: readonly string[];
  /** What the text of other columns looks like. A column that is not named here may hold anything but the separator. */
  readonly patterns: Readonly<Record<string, RegExp>>;
}

/** Why a row cannot be read, and what is certain of it all the same. */
export interface UnreadableRow<K extends string> {
  /** In words, without any text of the row. */
  readonly problem: string;
  readonly known: (column: K) => string | undefined;
}

/** Reads the fields of one row. */
export type RowReader<K extends string> = (fields: readonly string[]) => Result<Fields<K>, UnreadableRow<K>>;

/** Separators of one row that may be in excess; beyond them a row is not read. */
const MOST_IN_EXCESS = 1_024;

/**
 * Makes the reader of a table from its first row. A row with as many fields as columns is read by place. One with more has the separator inside free text: the columns
 * before and after the free ones are anchored from both ends by what they look like, and the row is read if every column that counts can have only one text.
 */
export function rowReader<K extends string>(
  header: readonly string[],
  { names, free, patterns }: RowForm<K>,
): Result<RowReader<K>, string> {
  const isFree = header.map((name) => free.includes(name));
  const patternOf = new Map(Object.entries(patterns));
  const fits = (column: number, text: string) => patternOf.get(header[column] ?? "")?.test(text) ?? true;
  const firstFree = isFree.includes(true) ? isFree.indexOf(true) : header.length;
  const unreadable = (problem: string, known: (column: K) => string | undefined) =>
    err<never, UnreadableRow<K>>({ problem, known });

  /** What stands before the first free text, if all of it looks as it should. The last field may be cut, and is not taken. */
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
 * The texts that each column can have in the alignments of a row with its columns, in which each free column takes one field or more and every other exactly one that
 * fits it; `undefined` if there is no alignment.
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
