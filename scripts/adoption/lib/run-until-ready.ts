import { withProgram } from "./with-program.js";

/** How long a program may take to be ready on a busy machine, in milliseconds. */
const DEADLINE_MS = 480_000;

/**
 * Runs a program with Node, and calls `use` as soon as `healthUrl` returns a success.
 *
 * Ends the program with SIGTERM afterwards. Throws if `use` fails, or if the program ends early, is
 * not ready in time or does not end with 0. The error contains the output of the program.
 */
export function runUntilReady(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  healthUrl: string,
  use: () => Promise<void>,
): Promise<void> {
  return withProgram(process.execPath, args, cwd, env, async (program) => {
    await untilReady(healthUrl, program.ended);
    await use();
    await program.end("SIGTERM");
  });
}

/** Waits until the URL returns a success. Throws if that takes too long, or the program ends. */
export async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + DEADLINE_MS;
  while (!ended.aborted) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    if (Date.now() > giveUpAt) throw new Error(`${url} is not ready: HTTP ${answer?.status ?? "none"}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The program ended before ${url} was ready.`);
}
