import { isError } from "@tillkit/core/errors";
import { CommanderError } from "@commander-js/extra-typings";
import { printOutcome, printFailure } from "./answer.js";
import { isColoured, titleText } from "./colour.js";
import { EXIT_CODES, failure, usage } from "./failure.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";
import { everyCommand } from "./every-command.js";

/**
 * Runs the program and returns its exit code. Prints to `io` and never rejects.
 *
 * A host with its own wallets passes an `openWallets` in `io`.
 *
 * @param argv - the arguments, without the two that Node adds.
 * @returns the exit code: 0 after a success.
 * @example
 * ```ts
 * import { systemClock } from "@tillkit/runtime";
 * import { installedWallets, run } from "tillkit";
 *
 * process.exitCode = await run(process.argv.slice(2), {
 *   stdin: process.stdin,
 *   stdout: process.stdout,
 *   stderr: process.stderr,
 *   env: process.env,
 *   clock: systemClock,
 *   openWallets: installedWallets,
 * });
 * ```
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const json = argv.includes("--json");
  let code: number = EXIT_CODES.ok;
  let errorText = "";
  const program = createProgram({
    io,
    report: async (options, work) => {
      code = await printOutcome(io, options, work);
    },
  });
  for (const command of everyCommand(program)) {
    command
      .showHelpAfterError("Add --help to see the options and examples.")
      .exitOverride()
      .configureHelp({ styleTitle: titleText })
      .configureOutput({
        getOutHasColors: () => isColoured(io.stdout, io),
        // Messages are printed by `printFailure`.
        getErrHasColors: () => false,
        writeOut: (text) => void io.stdout.write(text),
        writeErr: (text) => {
          errorText += text;
        },
      });
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printFailure(io, json, unexpected(error));
    if (error.exitCode === 0) return EXIT_CODES.ok;
    // Commander prints the help of a group that was called without a command as an error.
    return printFailure(io, json, usage(json ? firstLine(errorText) : errorText.trimEnd()));
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/^error: /, "") ?? "";
}

function unexpected(error: unknown) {
  const what = isError(error) ? (error.stack ?? error.message) : String(error);
  return failure(
    "unavailable",
    "program.failed",
    `Unexpected error, please report it as a bug in tillkit: ${what}`,
  );
}
