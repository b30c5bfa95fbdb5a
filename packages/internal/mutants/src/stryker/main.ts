// Mutates every line of the core's rules for money and access with Stryker, and fails if the score
// of a folder is below the floor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { root, secondsSince } from "@tillkit/repository";
import { folderScores, mutationReport } from "./scores.js";

/** The lowest accepted score of a folder, in percent. */
const FLOOR = 85;
const RESULTS = `${root}coverage/mutation`;
const began = performance.now();

await rm(RESULTS, { recursive: true, force: true });
// The core's own tests kill most mutants at a tenth of the cost. A second pass runs all tests on
// the survivors and adds to these results.
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

/** Runs Stryker with these tests. Returns false if Stryker failed. */
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
