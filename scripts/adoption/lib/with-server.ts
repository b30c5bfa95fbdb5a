import { withProgram } from "./with-program.js";

/** How long a program may take to start, in milliseconds. */
const DEADLINE_MS = 180_000;

/**
 * Runs a program that prints `listening <url>`, and calls `use` with the URL.
 *
 * Stops the program afterwards. Throws if `use` fails, or if the program ends early or does not
 * print the line within three minutes. The error contains the output of the program.
 */
export function withServer(
  command: string,
  args: readonly string[],
  cwd: string,
  use: (url: string, output: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withProgram(command, args, cwd, env, async (program) => {
    const [, url = ""] = await program.printed(/listening (http\S+)\s/u, DEADLINE_MS);
    await use(url.replace(/\/$/u, ""), program.output());
  });
}
