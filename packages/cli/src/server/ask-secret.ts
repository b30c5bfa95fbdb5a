import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { type CliFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { readText } from "../read-text.js";

/** Asks for secrets, one after the other. */
export interface Secrets {
  readonly ask: (what: string) => ResultAsync<string, CliFailure>;
  /** Restores the terminal. */
  readonly close: () => void;
}

/**
 * Asks on the terminal without showing what is typed, or reads one line of standard input for each
 * secret.
 */
export function openSecrets(io: Pick<Io, "stdin" | "stderr">): Secrets {
  return "isTTY" in io.stdin && io.stdin.isTTY === true ? terminalSecrets(io) : lineSecrets(io);
}

function terminalSecrets({ stdin, stderr }: Pick<Io, "stdin" | "stderr">): Secrets {
  // The interface prints what is typed. This stream drops it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true, historySize: 0 });
  const lines: string[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  // A person may type before the question, or interrupt before it.
  terminal.on("line", (line) => {
    lines.push(line);
    wake();
  });
  terminal.on("close", () => {
    isClosed = true;
    wake();
  });
  const nextLine = async (): Promise<string | undefined> => {
    if (lines.length === 0 && !isClosed)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return lines.shift();
  };
  const interrupted = failure("refused", "sign-in.interrupted", "The sign-in was interrupted.");
  return {
    ask: (what) => {
      stderr.write(`${what}: `);
      return ResultAsync.fromSafePromise(nextLine()).andThen((text) => {
        stderr.write("\n");
        return text === undefined ? errAsync(interrupted) : okAsync(text);
      });
    },
    close: () => terminal.close(),
  };
}

function lineSecrets(io: Pick<Io, "stdin">): Secrets {
  let lines: ResultAsync<string[], CliFailure> | undefined;
  return {
    ask: (what) => {
      lines ??= readText(io, "-").map((text) => text.split(/\r?\n/));
      return lines.andThen((left) => {
        const line = left.shift() ?? "";
        return line === ""
          ? errAsync(
              usage(
                `Standard input has no line with the ${what.toLowerCase()}: the first line is the password, the second one the code of the second factor.`,
              ),
            )
          : okAsync(line);
      });
    },
    close: () => undefined,
  };
}
