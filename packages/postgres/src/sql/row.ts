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
