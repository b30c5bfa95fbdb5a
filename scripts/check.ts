// Runs every check that needs no test, one per processor, and prints the output of each at its end.
import { availableParallelism } from "node:os";
import { root, run, secondsSince } from "@tillkit/repository";

/**
 * Scripts of the repository's manifest, the longest first. The scripts of one row run in sequence.
 */
const ROWS = [
  ["lint"],
  ["build", "shape"],
  ["typecheck"],
  ["format:check"],
  ["prose"],
  ["docs:check", "openapi:lint"],
  ["unused"],
  ["imports"],
] as const;

const began = performance.now();
const waiting = [...ROWS];
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, checkOn));
console.log(
  `${failed.length === 0 ? "every check passed" : `failed: ${failed.join(", ")}`} in ${secondsSince(began)} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs row after row until none is left. */
async function checkOn(): Promise<void> {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
    for (const name of row) if (!(await passes(name))) break;
  }
}

async function passes(name: string): Promise<boolean> {
  const start = performance.now();
  const { code, output } = await run("npm", ["run", name], root);
  console.log(
    `${output.trimEnd()}\n\n${code === 0 ? "ok    " : "FAILED"} ${name} (${secondsSince(start)} s)`,
  );
  if (code !== 0) failed.push(name);
  return code === 0;
}
