/** What may be written about something thrown. */
export interface DescribedError {
  readonly type: string;
  /** Of the system or of PostgreSQL. */
  readonly code?: string;
  readonly message?: string;
  /** What the database names as concerned, never with values. */
  readonly table?: string;
  readonly constraint?: string;
  /** Where it was thrown, without its words. */
  readonly at?: readonly string[];
  readonly cause?: DescribedError;
}

const DEEPEST = 3;
const FRAMES = 8;
/** Words of the driver and of its pool, which have no code to know them by. */
const DRIVER = /^(No connection to the database was free within|Query read timeout$|Connection terminated\b)/;
/** Classes of SQLSTATE whose messages quote values: data exceptions, integrity constraints, raised by hand. */
const QUOTING = /^(22|23|P0)/;

/**
 * Tells of an error what cannot be personal data or a secret. Messages may quote whatever was being worked on, and an error of the database has
 * the whole row in its details: only words known to be harmless are kept, and the places in the code.
 */
export function describeError(thrown: unknown, depth = 1): DescribedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown };
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
