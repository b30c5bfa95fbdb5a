import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { runWithin } from "./run-within.js";

/**
 * What a proof says of a mutant: who caught it, or that nobody here did, or that it had not ended in time, which a busy machine does as well, or that its text does
 * not even load. Only an assertion that failed catches.
 */
export type Verdict =
  | { readonly kind: "caught"; readonly by: string }
  | { readonly kind: "missed" }
  | { readonly kind: "late"; readonly by: string }
  | { readonly kind: "unusable"; readonly output: string };

/** Looks at the mutated copy of the repository in `folder`, until `stop`. */
export type Catcher = (folder: string, stop: AbortSignal) => Promise<Verdict>;

/** Longer than any of the proofs takes on a busy machine, in milliseconds. */
const DEADLINE = 300_000;
const SOURCES = ["--conditions=@tillkit/source", "--import", "tsx"];
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.workspace.ts", "--bail=1"];
const REPORT = "report.json";

/** The proofs a mutant of `file` has to get past, cheapest first: those that run the file, and no others. */
export function catchersOf(file: string, seeds: number): readonly Catcher[] {
  const api = tests("express", "api.test", "-t", "Express 5");
  if (file.startsWith("packages/core/src/bills/"))
    return [
      tests("core", `${dirname(file)}/`),
      tests("memory", "memory.test", "-t", "Bill reconciliation contract"),
      tests("memory", "bills.test"),
      simulation(seeds),
    ];
  // The tests beside the file first: they start soon and catch most.
  if (file.startsWith("packages/core/"))
    return [
      tests("core", `${dirname(file)}/`),
      simulation(seeds),
      tests("core"),
      tests("memory", "bills.test"),
      api,
    ];
  if (file.startsWith("packages/memory/")) return [tests("memory"), simulation(seeds), api];
  if (file.startsWith("packages/postgres/"))
    return [
      tests("postgres", "grouped.test", "grouped-verbs.test", "grouped-logins.test", "asked.test"),
      tests("postgres", "postgres-stores.test", "code-store.test", "refund-statements.test"),
    ];
  return [tests(file.split("/")[1] ?? "")];
}

/** The seeds from 1 on, up to the first that breaks a promise. */
function simulation(seeds: number): Catcher {
  const program = [...SOURCES, "packages/simulation/src/main.ts", "--brief", "--jobs", "1"];
  const args = [...program, "--seeds", String(seeds)];
  return async (cwd, stop) => {
    const { code, output } = await runWithin({ deadline: DEADLINE, stop, cwd }, args);
    const [, seed, promise] = /^Seed (\d+) breaks a promise: (.+)$/m.exec(output) ?? [];
    if (seed !== undefined) return { kind: "caught", by: `simulation, seed ${seed}: ${promise ?? ""}` };
    if (code === "late") return { kind: "late", by: "simulation" };
    return code === 0 ? { kind: "missed" } : { kind: "unusable", output };
  };
}

/** The tests of one workspace, up to the first that fails; `chosen` picks some of them. */
function tests(project: string, ...chosen: readonly string[]): Catcher {
  const args = [...VITEST, "--project", project, ...chosen, "--reporter=json", `--outputFile=${REPORT}`];
  return async (cwd, stop) => {
    await rm(`${cwd}/${REPORT}`, { force: true });
    const { code, output } = await runWithin({ deadline: DEADLINE, stop, cwd }, args);
    if (code === "late") return { kind: "late", by: project };
    return verdictOf(project, await readFile(`${cwd}/${REPORT}`, "utf8").catch(() => ""), output);
  };
}

const report = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
  success: z.boolean(),
});

/** What a report of vitest says. A file that does not load has failed without a test that did. */
export function verdictOf(project: string, json: string, output: string): Verdict {
  const read = json === "" ? undefined : report.parse(JSON.parse(json));
  const all = read?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = all.filter(({ status }) => status === "failed");
  const asserted = failed.find(({ failureMessages = [] }) => !failureMessages.some(isTimeOut));
  if (asserted !== undefined) return { kind: "caught", by: `${project}: ${asserted.fullName}` };
  if (failed.length > 0) return { kind: "late", by: project };
  const passed = read?.success === true && read.numPassedTests > 0;
  return passed ? { kind: "missed" } : { kind: "unusable", output };
}

// What vitest says of a test, or of what prepares it, that has not ended in its time.
function isTimeOut(message: string): boolean {
  return /(Test|Hook) timed out in \d+ms/.test(message);
}
