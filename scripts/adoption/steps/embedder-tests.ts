import { cp, readFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import { programOf } from "../lib/program-of.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";

const JEST = ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js", "--ci"];

/** The arguments of Node for each test runner. */
const RUNNERS = {
  vitest: ["node_modules/vitest/vitest.mjs", "run", "src/vitest", "--reporter=json"],
  "node:test": ["--import", "tsx", "--test", "--test-reporter=tap", "src/node-test/memberships.ts"],
  Jest: [...JEST, "--config", "src/jest/jest.config.js", "--json"],
} as const;

/** The arguments of Bun, which runs the tests of Jest as they are. */
const BUN = ["test", "src/jest", "--reporter=junit", "--reporter-outfile=bun.xml"];

/** Runs the tests of `examples/embedder-tests` with each test runner. */
export const embedderTests: AdoptionStep = {
  name: "embedder-tests",
  shows: "an embedder's tests pass with vitest, node:test, Jest on ES modules and Bun",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}examples/embedder-tests/src`, `${folder}/src`, { recursive: true });
    const { bun, jest } = REGISTRY_VERSIONS;
    const others = [
      asInstalled("vitest"),
      asInstalled("tsx"),
      asInstalled("esbuild"),
      asInstalled("neverthrow"),
      jest,
      bun,
    ];
    await install(folder, tarballs, ["@tillkit/core", "@tillkit/memory"], others);
    const lines: string[] = [];
    for (const [runner, args] of Object.entries(RUNNERS)) {
      const output = await runOrThrow(process.execPath, args, folder);
      const passed = Number(/"numPassedTests":\s*(\d+)|^# pass (\d+)$/mu.exec(output)?.slice(1).join(""));
      if (!(passed >= 5))
        throw new Error(`${runner} passed ${passed} tests instead of 5 or more.\n${output}`);
      lines.push(`${runner}: ${passed} tests passed`);
    }
    await runOrThrow(await programOf("@oven", "bun", folder), BUN, folder);
    const report = await readFile(`${folder}/bun.xml`, "utf8");
    const [, tests = "0"] = /<testsuites [^>]*tests="(\d+)"[^>]* failures="0"/u.exec(report) ?? [];
    if (Number(tests) < 5) throw new Error(`Bun passed ${tests} tests instead of 5 or more.\n${report}`);
    return [...lines, `Bun: ${tests} tests passed`].join("\n");
  },
};
