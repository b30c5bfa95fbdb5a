import { readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { root } from "@tillkit/repository";
import type { Mutant } from "./mutant.js";
import { runWithin } from "./run-within.js";

/** The kinds of suite that can catch a mutant. */
export const SUITES = [
  "port contract",
  "HTTP contract",
  "unit tests",
  "adapter tests",
  "money tests",
  "CLI tests",
  "simulation",
  "month",
] as const;

/** A kind of suite that can catch a mutant. */
export type Suite = (typeof SUITES)[number];

/** Whether the suite is a contract: it runs on every adapter of a port, or on every binding. */
export function isContract(suite: Suite): boolean {
  return suite === "port contract" || suite === "HTTP contract";
}

/**
 * The result of one suite for a mutant. Only a failed assertion catches it.
 *
 * - `late`: the suite did not end in time, which a busy machine can cause.
 * - `unusable`: the mutated source does not load.
 */
export type Verdict =
  | { readonly kind: "caught"; readonly by: string }
  | { readonly kind: "missed" }
  | { readonly kind: "late"; readonly by: string }
  | { readonly kind: "unusable"; readonly output: string };

/** A suite that runs on a mutant. */
export interface Proof {
  readonly suite: Suite;
  /** Runs the suite on the mutated copy of the repository in `folder`, until `stop`. */
  readonly look: (folder: string, stop: AbortSignal) => Promise<Verdict>;
}

/** Timeout in milliseconds, longer than any suite takes on a busy machine. */
const DEADLINE = 300_000;
const SOURCES = ["--conditions=@tillkit/source", "--import", "tsx"];
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.workspace.ts", "--bail=1"];
const REPORT = "report.json";
/** A race may show a mutant only among many concurrent callers. */
const MANY_CASES = { TEST_CASES: "many" };

/** Reconciliation of bills uses the stores, not HTTP. */
const BILLS = tests("port contract", "memory", "memory.test", "-t", "Bill reconciliation contract");
/** Stores call the rules of an erasure while they hold the lock of the order. */
const CUSTOMERS = [
  tests("port contract", "memory", "memory.test", "-t", "CustomerDataStore"),
  tests("adapter tests", "memory", "customers.test"),
];
/** The parts of core that a binding runs for every request. */
const WIRE = /^packages\/core\/src\/(?:http|shared)\//;
const BATCHED = ["batched-logins.test", "batched-transitions.test"];
const ORDINARY_API = tests("HTTP contract", "node", "api.test");

/**
 * Returns the suites that run the file of a mutant: in general, contract suites first, and fast
 * suites before slow ones.
 */
export function proofsOf(
  { file, shownTo }: Pick<Mutant, "file" | "shownTo">,
  seeds: number,
): readonly Proof[] {
  if (shownTo === "month") return [MONTH];
  const [, name = ""] = /^packages\/([\w-]+)\//.exec(file) ?? [];
  switch (name) {
    case "core":
      return [
        ...(file.startsWith("packages/core/src/bills/") ? [BILLS] : []),
        ...(file.startsWith("packages/core/src/customers/") ? CUSTOMERS : []),
        ORDINARY_API,
        ...(WIRE.test(file) ? [tests("HTTP contract", "node", "binding.test")] : []),
        ...(hasTests(dirname(file)) ? [tests("unit tests", "core", `${dirname(file)}/`)] : []),
        tests("unit tests", "core"),
        tests("adapter tests", "memory", "bills.test"),
        tests("CLI tests", "cli"),
        simulation(seeds),
      ];
    case "memory":
      return [
        tests("port contract", "memory", "memory.test", "memory-wallet.contract.test"),
        ORDINARY_API,
        tests("adapter tests", "memory"),
        simulation(seeds),
      ];
    case "postgres":
      return [
        ...storageContracts(file),
        tests("adapter tests", "postgres", "/batched.test", "batched-methods.test", ...BATCHED),
        tests("adapter tests", "postgres"),
      ];
    case "wechat-pay":
    case "alipay":
      return [
        tests("port contract", name, "wallet.contract.test", "-t", CONTRACTS),
        tests("adapter tests", name),
        tests("port contract", "sandbox", "adapters.contract.test"),
        tests("money tests", "sandbox", "money/"),
      ];
    case "runtime":
      return [
        tests("port contract", "postgres", "pglite-stores.test", "-t", CONTRACTS),
        tests("adapter tests", "runtime"),
      ];
    case "wallet-kit":
      return [
        tests("adapter tests", "wallet-kit"),
        tests("adapter tests", "wechat-pay"),
        tests("adapter tests", "alipay"),
      ];
    case "node":
    case "express":
    case "fetch":
      return [
        tests("HTTP contract", name, "binding.test"),
        tests("HTTP contract", name, "api.test"),
        tests("adapter tests", name),
      ];
    case "cli":
      return [tests("CLI tests", "cli")];
    default:
      return [tests("unit tests", file.split("/")[1] ?? "")];
  }
}

/** Whether there are test files in the folder itself. */
function hasTests(folder: string): boolean {
  return readdirSync(`${root}${folder}`).some((name) => name.endsWith(".test.ts"));
}

/**
 * Returns the contracts on PostgreSQL and PGlite.
 *
 * For a file of batched statements, the contracts of batched and shared stores come first. For a
 * file about clusters, only the contract of a cluster runs.
 */
function storageContracts(file: string): readonly Proof[] {
  const contract = (test: string) => tests("port contract", "postgres", `/${test}.test`, "-t", CONTRACTS);
  const plain = [contract("postgres-stores"), contract("unbatched-stores")];
  const shared = [contract("batched-stores"), contract("shared-storage")];
  if (file.includes("cluster")) return [contract("cluster-stores")];
  const first = file.includes("batch") ? [shared, plain] : [plain, shared];
  return [...first.flat(), contract("pglite-stores"), contract("cluster-stores")];
}

/** Matches the names of the contract suites, and of no other test. */
const CONTRACTS = "contract: |isolation of apps: ";

/** Runs the seeds from 1 to `seeds`, until one breaks an invariant. */
function simulation(seeds: number): Proof {
  const program = [...SOURCES, "packages/internal/simulation/src/main.ts", "--brief", "--jobs", "1"];
  const args = [...program, "--seeds", String(seeds)];
  return {
    suite: "simulation",
    look: async (cwd, stop) => {
      const { code, output } = await runWithin({ deadline: DEADLINE, stop, cwd }, args);
      const [, seed, promise] = /^Seed (\d+) breaks a promise: (.+)$/m.exec(output) ?? [];
      if (seed !== undefined) return { kind: "caught", by: `seed ${seed}: ${promise ?? ""}` };
      if (code === "late") return { kind: "late", by: "simulation" };
      return code === 0 ? { kind: "missed" } : { kind: "unusable", output };
    },
  };
}

/** The number of simulated months, and of the orders of each month at each wallet. */
const MONTHS = ["--seeds", "30", "--orders", "40", "--brief"];

const MONTH: Proof = {
  suite: "month",
  look: async (cwd, stop) => {
    const program = [...SOURCES, "packages/internal/simulation/src/month/main.ts", ...MONTHS];
    const { code, output } = await runWithin({ deadline: DEADLINE, stop, cwd }, program);
    const [, seed] = /^seed (\d+): \d+ broken/m.exec(output) ?? [];
    const [, promise = ""] = /^ {2}BROKEN (.+)$/m.exec(output) ?? [];
    if (seed !== undefined) return { kind: "caught", by: `seed ${seed}: ${promise}` };
    if (code === "late") return { kind: "late", by: "month" };
    return code === 0 ? { kind: "missed" } : { kind: "unusable", output };
  },
};

/** Runs the tests of one workspace until one fails. `chosen` selects some of them. */
function tests(suite: Suite, project: string, ...chosen: readonly string[]): Proof {
  const args = [...VITEST, "--project", project, ...chosen, "--reporter=json", `--outputFile=${REPORT}`];
  return {
    suite,
    look: async (cwd, stop) => {
      await rm(`${cwd}/${REPORT}`, { force: true });
      const { code, output } = await runWithin({ deadline: DEADLINE, stop, cwd, env: MANY_CASES }, args);
      if (code === "late") return { kind: "late", by: project };
      return verdictOf(project, await readFile(`${cwd}/${REPORT}`, "utf8").catch(() => ""), output);
    },
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

/**
 * Derives the verdict from a report of vitest.
 *
 * A file that does not load makes the run fail without a failed test.
 */
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

// Matches vitest's message about a test or hook that did not end in time.
function isTimeOut(message: string): boolean {
  return /(Test|Hook) timed out in \d+ms/.test(message);
}
