import { spawn } from "node:child_process";

/** How a program ended, and everything it wrote. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, as they came. */
  readonly output: string;
}

/** Runs a program to its end, with `env` added to the environment. It reads nothing; a signal counts as exit code 1. */
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

/** Like `run`, but a program that fails is an error that holds what it wrote. Returns its standard output. */
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

/** Seconds since `began` (`performance.now()`), with one decimal. */
export function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}
