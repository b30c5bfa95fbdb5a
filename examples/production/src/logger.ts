import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { Config } from "./config.js";
import { describeError } from "./describe-error.js";

/** Where a host writes what happens to it: one JSON object a line. */
export type { Logger };

/**
 * Opens the log. Nothing of a request gets into it as it came: callers of this logger name the fields they write, and what was thrown goes
 * through `describeError`, under `err`.
 */
export function openLogger(level: Config["logLevel"], destination: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
}
