import assert from "node:assert/strict";
import { cp, copyFile, readFile } from "node:fs/promises";
import { z } from "zod";
import { root, run, runOrThrow } from "@tillkit/repository";
import { takePayment } from "../../../examples/frameworks/src/take-payment.js";
import { buyOnPage } from "../lib/buy-on-page.js";
import { asInstalled, install } from "../lib/install.js";
import { loadPage } from "../lib/load-page.js";
import { NEXT_DIFFERENCES } from "../lib/next-differences.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const RECIPE = `${root}examples/frameworks/next`;
const PROJECT = `${root}scripts/adoption/projects/next`;
const OWN = ["client", "contract-tests", "core", "dashboard", "fetch", "memory"].map(
  (name) => `@tillkit/${name}`,
);
const TOOLS = ["vitest", "typescript", "@types/node"].map(asInstalled);
const { next: NEXT, react, "react-dom": reactDom, "types-react": typesReact } = REGISTRY_VERSIONS;

const outcome = z.object({ title: z.string(), status: z.string() });
const report = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(outcome).min(50) })).min(1),
});

async function payAndLoadPage(baseUrl: string): Promise<void> {
  await takePayment(baseUrl);
  await buyOnPage(baseUrl);
  await loadPage(baseUrl);
}

/**
 * Builds the Next.js recipe with both bundlers, takes a payment on `next start`, and runs the
 * binding contract.
 */
export const next: AdoptionStep = {
  name: "next",
  shows: "the Next.js App Router recipe and the operators' page, built by webpack and Turbopack",
  run: async ({ folder, tarballs }) => {
    for (const source of [RECIPE, PROJECT]) await cp(source, folder, { recursive: true });
    await copyFile(`${root}examples/frameworks/src/demo-surfaces.ts`, `${folder}/lib/demo-surfaces.ts`);
    await install(folder, tarballs, OWN, [NEXT, react, reactDom, typesReact, ...TOOLS]);
    const program = "node_modules/next/dist/bin/next";
    const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
    await runOrThrow(process.execPath, [program, "build", "--webpack"], folder, env);
    await withServer(process.execPath, ["start.js"], folder, loadPage, env);
    await runOrThrow(process.execPath, [program, "build", "--turbopack"], folder, env);
    await withServer(process.execPath, ["start.js"], folder, payAndLoadPage, env);
    await run(process.execPath, ["node_modules/vitest/vitest.mjs", ...VITEST], folder);
    const { testResults } = report.parse(JSON.parse(await readFile(`${folder}/report.json`, "utf8")));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = tests.filter(({ status }) => status !== "passed").map(({ title }) => title);
    assert.deepEqual(failed.toSorted(), Object.keys(NEXT_DIFFERENCES).toSorted());
    const reasons = new Set(Object.values(NEXT_DIFFERENCES));
    return [
      "built by webpack and Turbopack, served the operators' page, sold on a page, paid and refunded",
      `binding contract: ${tests.length - failed.length} of ${tests.length} tests passed, and the others:`,
      ...reasons,
    ].join("\n");
  },
};

const VITEST = ["run", "--config", "vitest.config.js", "--reporter=json", "--outputFile=report.json"];
