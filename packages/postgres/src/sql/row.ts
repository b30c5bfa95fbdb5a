import type { SqlRow } from "./sql-client.js";
import { UnreadableValue } from "./unreadable-value.js";

/**
 * Reads the text in `column`.
 *
 * Like all readers in this file, it throws if the column has an unexpected value, because the
 * schema does not match this version.
 */
export function text(row: SqlRow, column: string): string {
  return optionalText(row, column) ?? wrong(column);
}

/** Reads the text in `column`, or `undefined` for null. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return typeof value === "string" ? value : wrong(column);
}

/**
 * Reads the integer in `column`, which the driver returns as text, number or BigInt.
 *
 * Throws if it is not a safe integer.
 */
export function integer(row: SqlRow, column: string): number {
  return optionalInteger(row, column) ?? wrong(column);
}

/** Reads the integer in `column`, or `undefined` for null. */
export function optionalInteger(row: SqlRow, column: string): number | undefined {
  const value = row[column];
  if (value === null) return undefined;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint")
    return wrong(column);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : wrong(column);
}

/**
 * Reads the array of integers in `column`.
 *
 * The statement must cast the array to text, because drivers return arrays differently.
 */
export function integers(row: SqlRow, column: string): readonly number[] {
  const numbers: unknown = JSON.parse(`[${text(row, column).slice(1, -1)}]`);
  return areIntegers(numbers) ? numbers : wrong(column);
}

function areIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}

/** Reads the row that `row_to_json` wrote as text to `column`. */
export function jsonRow(row: SqlRow, column: string): SqlRow {
  const value: unknown = JSON.parse(text(row, column));
  return isRow(value) ? value : wrong(column);
}

/** Reads the rows that `json_agg` wrote as text to `column`. */
export function jsonRows(row: SqlRow, column: string): readonly SqlRow[] {
  const values: unknown = JSON.parse(text(row, column));
  return Array.isArray(values) && values.every(isRow) ? values : wrong(column);
}

function isRow(value: unknown): value is SqlRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads the boolean in `column`. */
export function booleanValue(row: SqlRow, column: string): boolean {
  const value = row[column];
  return typeof value === "boolean" ? value : wrong(column);
}

/** Reads the text in `column`, which must be one of `values`. */
export function enumValue<T extends string>(row: SqlRow, column: string, values: readonly T[]): T {
  const value = row[column];
  return values.find((known) => known === value) ?? wrong(column);
}

function wrong(column: string): never {
  // The message omits the value, because it may be logged.
  throw new UnreadableValue(
    `The column ${column} does not have the type or format that this version expects.`,
  );
}

/** Returns `{ [name]: value }`, or `{}` if `value` is `undefined`. */
export function optionalMember<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  const member: Partial<Record<K, V>> = {};
  if (value !== undefined) member[name] = value;
  return member;
}

/** The members of `T`, each absent instead of `undefined`. */
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Adds the members of `optional` that are not `undefined` to `target`, and returns `target`.
 *
 * Adding members to one object costs a fraction of spreading many small objects.
 */
export function withDefined<T extends object, O extends object>(target: T, optional: O): T & Defined<O>;
export function withDefined(target: Record<string, unknown>, optional: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(optional)) {
    if (optional[name] !== undefined) target[name] = optional[name];
  }
  return target;
}

/** Parses a JSON object whose values are all strings. Throws otherwise. */
export function parseStringRecord(json: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null)
    throw new UnreadableValue("The text is not a JSON object.");
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "string")
        throw new UnreadableValue("A member of the JSON object is not a string.");
      return [name, member];
    }),
  );
}
