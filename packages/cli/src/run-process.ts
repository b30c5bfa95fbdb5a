import { systemClock } from "@tillkit/runtime";
import type { DevStart } from "./io.js";
import { run } from "./run.js";
import { installedWallets } from "./wallets.js";

/**
 * Runs the program in this process with its streams and environment, then ends the process.
 *
 * @param argv - the arguments, without the two that Node adds.
 * @param dev - what a repository has prepared for `tillkit dev`.
 */
export async function runProcess(argv: readonly string[], dev?: DevStart): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  // A reader such as `head` may close the pipe early. The command has done its work by then.
  for (const stream of [stdout, stderr])
    stream.on("error", (error: Error) => {
      if (!("code" in error) || error.code !== "EPIPE") throw error;
    });
  const streams = { stdin, stdout, stderr };
  const io = { ...streams, env, clock: systemClock, openWallets: installedWallets };
  process.exitCode = await run(argv, dev === undefined ? io : { ...io, dev });
  // Without `exit`, the connection to a database server that does not answer would keep the process
  // alive.
  stdout.write("", () => stderr.write("", () => process.exit()));
}
