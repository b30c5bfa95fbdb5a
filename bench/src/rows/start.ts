import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { quantile } from "../harness/figures.js";
import type { Contestant, Role, Round, Row } from "../harness/row.js";

const HOME = fileURLToPath(new URL("../..", import.meta.url));

const BETTER_AUTH = "better-auth and pg";

/** How long it takes until a process has loaded a library: what a cold start in the cloud waits for. */
export function startRow(): Row {
  return {
    work: "a Node process that imports what a host is made of, as it is built for publishing, and ends",
    contestants: [
      importing("Tillkit's core, runtime, postgres and alipay, and pg", "ours", [
        "@tillkit/core",
        "@tillkit/core/http",
        "@tillkit/runtime",
        "@tillkit/postgres",
        "@tillkit/alipay",
        "pg",
      ]),
      importing(BETTER_AUTH, "alternative", ["better-auth", "pg"]),
      importing("pg alone", "limit", ["pg"]),
      importing("nothing", "limit", []),
    ],
    targets: [{ kind: "speed", than: BETTER_AUTH, atLeast: 1 }],
  };
}

function importing(name: string, role: Role, modules: readonly string[]): Contestant {
  const imports = modules.map((module) => `await import(${JSON.stringify(module)});`).join("");
  const used =
    "const { user, system } = process.cpuUsage(); const rss = process.memoryUsage.rss() / 1_048_576;";
  const program = `${imports}${used} process.stdout.write(JSON.stringify({ cpu: user + system, rss }));`;
  return { name, role, play: (ms) => play(program, ms) };
}

const used = z.object({ cpu: z.number(), rss: z.number() });

async function play(program: string, ms: number): Promise<Round> {
  const startedAt = performance.now();
  const times: number[] = [];
  const usages: z.infer<typeof used>[] = [];
  while (times.length === 0 || performance.now() - startedAt < ms) {
    const from = performance.now();
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: HOME,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    const said = await text(child.stdout);
    await ended;
    if (child.exitCode !== 0)
      throw new Error("Something could not be imported as it is published: `npm run build` first.");
    times.push(performance.now() - from);
    usages.push(used.parse(JSON.parse(said)));
  }
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: (times.length * 1_000) / (performance.now() - startedAt),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpu: quantile(Float64Array.from(usages.map(({ cpu }) => cpu)).sort(), 0.5),
    rss: Math.max(...usages.map(({ rss }) => rss)),
  };
}
