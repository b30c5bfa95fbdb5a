import type { ResultAsync } from "neverthrow";
import type { CommandResult, PrintOptions } from "./answer.js";
import type { CliFailure } from "./failure.js";
import type { Io } from "./io.js";

/** What a command receives in addition to its options. */
export interface Context {
  readonly io: Io;
  /** Prints the outcome of a command and sets the exit code. */
  readonly report: (options: PrintOptions, work: ResultAsync<CommandResult, CliFailure>) => Promise<void>;
}
