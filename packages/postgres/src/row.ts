import type { SqlRow } from "./sql-client.js";

/** The text in `column`. Like all readers here it throws when the column holds something else: the schema is not the one this code is for. */
export function text(row: SqlRow, column: string): string {
  return optionalText(row, column) ?? wrong(column);
}

/** The text in `column`, or `undefined` for null. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  const value = row[column];
  if (value === null) return undefined;
  return typeof value === "string" ? value : wrong(column);
}

/** The whole number in `column`, exactly: drivers give a bigint as text, number or BigInt, and one that is not safe throws. */
export function integer(row: SqlRow, column: string): number {
  return optionalInteger(row, column) ?? wrong(column);
}

/** The whole number in `column`, or `undefined` for null. */
export function optionalInteger(row: SqlRow, column: string): number | undefined {
  const value = row[column];
  if (value === null) return undefined;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint")
    return wrong(column);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : wrong(column);
}

/** The whole numbers of the array in `column`, exactly; the statement gives it as text, because each driver has arrays of its own. */
export function integers(row: SqlRow, column: string): readonly number[] {
  const numbers: unknown = JSON.parse(`[${text(row, column).slice(1, -1)}]`);
  return areIntegers(numbers) ? numbers : wrong(column);
}

function areIntegers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}

/** The truth value in `column`. */
export function flag(row: SqlRow, column: string): boolean {
  const value = row[column];
  return typeof value === "boolean" ? value : wrong(column);
}

/** The one of `values` that is the text in `column`. */
export function oneOf<T extends string>(row: SqlRow, column: string, values: readonly T[]): T {
  const value = row[column];
  return values.find((known) => known === value) ?? wrong(column);
}

function wrong(column: string): never {
  // The value is left out: this text ends in a log.
  throw new TypeError(`The column ${column} does not hold what this version expects.`);
}
