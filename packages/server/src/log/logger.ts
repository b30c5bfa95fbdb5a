import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from "pino";
import type { Config } from "../config.js";
import { describeError } from "./describe-error.js";
import { currentTrace } from "./request-log.js";

/** The log of a host, a logger of pino: one JSON object per line. */
export type Logger = PinoLogger;

/**
 * Opens the log.
 *
 * The log never contains raw requests: callers name each field, and `describeError` reduces thrown
 * values, under `err`.
 */
export function openLogger(level: Config["logLevel"], destination: DestinationStream): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      mixin: currentTrace,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
}
