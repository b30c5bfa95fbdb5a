import { spawn } from "node:child_process";

/** How long a program may take to start, in milliseconds. */
const DEADLINE_MS = 60_000;

/**
 * Runs a program that prints `listening <url>`, and calls `use` with the URL.
 *
 * Stops the program afterwards. Throws, with the output of the program, if it ends early, prints
 * nothing within a minute, or `use` fails.
 */
export async function withServer(
  command: string,
  args: readonly string[],
  cwd: string,
  use: (url: string, output: string) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`The program ended with ${code}.`)));
  });
  // `use` may win the race, and the program ends after it.
  ended.catch(() => undefined);
  const started = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The program did not start in time.")), DEADLINE_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const [, url] = /listening (http\S+)\s/u.exec(output) ?? [];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url.replace(/\/$/u, ""));
      });
    }
  });
  try {
    await Promise.race([started.then((url) => use(url, output)), ended]);
  } catch (cause) {
    throw new Error(`${[command, ...args].join(" ")} failed\n${output}`, { cause });
  } finally {
    await stop(child);
  }
}

/** Ends the program with SIGTERM, and after five seconds with SIGKILL. */
async function stop(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await closed;
  clearTimeout(force);
}
