import { isError } from "@tillkit/core/errors";

/** The parts of a thrown error that may be logged. */
export interface DescribedError {
  readonly type: string;
  /** The code of the system or of PostgreSQL. */
  readonly code?: string;
  readonly message?: string;
  /** The table that the database error names. It contains no values. */
  readonly table?: string;
  readonly constraint?: string;
  /** The stack frames, without the message. */
  readonly at?: readonly string[];
  readonly cause?: DescribedError;
}

const DEEPEST = 3;
const FRAMES = 8;
/** Messages of the driver and its pool, whose errors have no code. */
const DRIVER = /^(No connection to the database was free within|Query read timeout$|Connection terminated\b)/;
/**
 * SQLSTATE classes whose messages quote values.
 *
 * These are data exceptions, integrity constraints and raised errors.
 */
const QUOTING = /^(22|23|P0)/;

/**
 * Describes an error without personal data and secrets.
 *
 * Messages may quote the data of a request, and a database error contains the whole row in its
 * details. Keeps only the stack frames, and messages that are known to be harmless.
 */
export function describeError(thrown: unknown, depth = 1): DescribedError {
  if (!isError(thrown)) return { type: typeof thrown };
  const code = textOf(thrown, "code");
  const [table, constraint] = [textOf(thrown, "table"), textOf(thrown, "constraint")];
  const at = framesOf(thrown.stack);
  const harmless =
    DRIVER.test(thrown.message) ||
    (code !== undefined && (/^E[A-Z]+$/.test(code) || (/^[0-9A-Z]{5}$/.test(code) && !QUOTING.test(code))));
  return {
    type: thrown.name,
    ...(code === undefined ? {} : { code }),
    ...(harmless ? { message: thrown.message } : {}),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(at.length === 0 ? {} : { at }),
    ...(thrown.cause === undefined || depth === DEEPEST
      ? {}
      : { cause: describeError(thrown.cause, depth + 1) }),
  };
}

function textOf(thrown: Error, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(thrown, name)?.value;
  return typeof value === "string" ? value : undefined;
}

function framesOf(stack: string | undefined): readonly string[] {
  const frames = (stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line));
  return frames.slice(0, FRAMES).map((line) => line.trim());
}
