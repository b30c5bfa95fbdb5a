import { cp, readFile } from "node:fs/promises";
import { z } from "zod";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";

const report = z.object({ numPassedTests: z.number().min(50), numTotalTests: z.number() });

/** Runs the contract suites of two ports on an adapter that is not a part of Tillkit. */
export const sqliteAdapter: AdoptionStep = {
  name: "sqlite-adapter",
  shows: "a third-party adapter of two ports on SQLite passes their contract suites",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}scripts/adoption/projects/sqlite-adapter`, folder, { recursive: true });
    const others = [asInstalled("vitest"), asInstalled("neverthrow"), REGISTRY_VERSIONS["sql.js"]];
    await install(folder, tarballs, ["@tillkit/contract-tests"], others);
    const args = ["run", "contract.js", "--reporter=json", "--outputFile=report.json"];
    const include = ["--dir", ".", "--config", "vitest.config.js"];
    await runOrThrow(process.execPath, ["node_modules/vitest/vitest.mjs", ...args, ...include], folder);
    const { numPassedTests, numTotalTests } = report.parse(
      JSON.parse(await readFile(`${folder}/report.json`, "utf8")),
    );
    return `QuotaStore and CodeStore on SQLite: ${numPassedTests} of ${numTotalTests} tests passed`;
  },
};
