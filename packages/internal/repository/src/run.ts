import { spawn } from "node:child_process";

/** The exit code and the output of a program. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, in the order of arrival. */
  readonly output: string;
}

/**
 * Runs a program to its end, without standard input. A signal counts as exit code 1.
 *
 * @param env - added to the environment.
 */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      resolve(status ?? 1);
    });
  });
  return { code, stdout, output };
}

/**
 * Runs a program like {@link run} and returns its standard output.
 *
 * Throws an error that contains the output if the program fails.
 */
export async function runOrThrow(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, output } = await run(command, args, cwd, env);
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed in ${cwd}\n${output}`);
  return stdout;
}

/** Returns the seconds since `began` (`performance.now()`), with one decimal. */
export function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
