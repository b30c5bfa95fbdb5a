// Changes every line of the core's rules for money and access with Stryker, and looks that no folder falls below the floor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { root } from "../../../../../scripts/lib/packages.js";
import { secondsSince } from "../../../../../scripts/lib/run.js";
import { folderScores, mutationReport } from "./scores.js";

/** Percent of the mutants of each folder. */
const FLOOR = 85;
const RESULTS = `${root}coverage/mutation`;
const began = performance.now();

await rm(RESULTS, { recursive: true, force: true });
// The core's own tests notice most mutants at a tenth of the cost. What gets past them is left to all the tests, in a pass that goes on with these results.
const done = (await passes("core", ["--reporters", "progress-append-only"])) && (await passes("all", []));
if (!done) process.exitCode = 1;
else {
  const scores = folderScores(
    mutationReport.parse(JSON.parse(await readFile(`${RESULTS}/report.json`, "utf8"))),
  );
  const rows = scores.map(({ folder, score, ...counts }) => [folder, { score: score.toFixed(1), ...counts }]);
  console.table(Object.fromEntries(rows));
  console.log(`${secondsSince(began)} s`);
  for (const { folder, score } of scores) {
    if (score >= FLOOR) continue;
    console.error(
      `${folder} is below the floor of ${FLOOR} %: its survivors are in coverage/mutation/report.html.`,
    );
    process.exitCode = 1;
  }
}

/** Runs Stryker with these tests; false when it could not finish. */
async function passes(tests: "core" | "all", options: readonly string[]): Promise<boolean> {
  const args = [
    "run",
    "packages/internal/mutants/src/stryker/stryker.config.json",
    ...options,
    ...process.argv.slice(2),
  ];
  const env = { ...process.env, MUTATION_TESTS: tests };
  const stryker = spawn("stryker", args, { cwd: root, stdio: "inherit", env });
  await once(stryker, "close");
  return stryker.exitCode === 0;
}
