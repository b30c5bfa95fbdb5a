import { UnreadableValue } from "../sql/unreadable-value.js";

const sameText = (value: string): string => value;
const toNumber = (value: string): number => Number(value);
const toBoolean = (value: string): boolean => value === "t" || value === "true";
const fromJson = (value: string): unknown => JSON.parse(value);

/** Reads the text of a value. */
export type ValueParser = (value: string) => unknown;

/** How values are read, by the number of their type in PostgreSQL. */
const PARSERS: Readonly<Record<number, ValueParser>> = {
  16: toBoolean,
  18: sameText,
  19: sameText,
  // A bigint may be larger than a safe integer.
  20: sameText,
  21: toNumber,
  23: toNumber,
  25: sameText,
  26: toNumber,
  114: fromJson,
  700: toNumber,
  701: toNumber,
  1042: sameText,
  1043: sameText,
  1700: sameText,
  3802: fromJson,
};

/** The parsers of a query on PGlite. They take precedence over parsers that the host has set. */
export const PINNED_PARSERS = { ...PARSERS };

/**
 * The types of a query on `pg`: numbers, booleans and JSON are values, and everything else is text.
 *
 * The parsers of `pg` are global to the process, and another library of the host may replace them.
 */
export const PINNED_TYPES = {
  getTypeParser(type: number, format = "text"): ValueParser {
    if (format !== "text")
      throw new UnreadableValue(
        "The pool returns binary values.",
        'Leave out the option "binary" of the pool.',
      );
    return PARSERS[type] ?? sameText;
  },
};
