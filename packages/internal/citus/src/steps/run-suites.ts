import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, run, withTemporaryFolder } from "@tillkit/repository";
import { z } from "zod";
import { type Outcome, outcomeOf } from "../outcome.js";

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

/** Timeout of a test and of a hook, in milliseconds. */
const PATIENCE = 300_000;

/**
 * Runs test files of `packages/postgres` and `packages/cli` against a server.
 *
 * @param filters - parts of the names of the files.
 * @param env - names the server.
 */
export async function runSuites(
  filters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, "report.json");
    const projects = ["--project", "postgres", "--project", "cli"];
    const options = ["--config", "vitest.workspace.ts", ...projects, ...filters];
    // Ends tests that hang. Distributing a schema takes a minute on a busy machine.
    options.push(`--testTimeout=${String(PATIENCE)}`, `--hookTimeout=${String(PATIENCE)}`);
    // Reference tables of all schemas share one colocation group of the database. Files that create
    // and drop schemas at the same time can split it.
    options.push("--no-file-parallelism");
    const reporters = ["--reporter=json", `--outputFile.json=${file}`];
    const { code, output } = await run("npx", ["vitest", "run", ...options, ...reporters], root, env);
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return outcomeOf([output.slice(-2_000)]);
    const { numPassedTests, numFailedTests, testResults } = report.parse(JSON.parse(text));
    const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const cases = assertionResults
        .filter((one) => one.status === "failed")
        .map((one) => `failed: ${one.fullName}: ${firstLines(one.failureMessages?.[0] ?? "")}`);
      return cases.length === 0 && status === "failed"
        ? [`failed: ${name}: ${firstLines(message ?? "")}`]
        : cases;
    });
    if (failed.length === 0 && code !== 0) failed.push(output.slice(-2_000));
    if (failed.length === 0 && numPassedTests === 0) failed.push("no test ran");
    return outcomeOf(failed, [`${String(numPassedTests)} cases passed, ${String(numFailedTests)} failed`]);
  });
}

/** Returns the part of a failure that names its reason. */
function firstLines(message: string): string {
  const cause = /cause: (.*)/.exec(message)?.[1];
  return cause ?? message.split("\n").slice(0, 12).join(" ").slice(0, 500);
}
