import { cp, readFile, writeFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";

const PROJECT = `${root}scripts/adoption/projects/jest-commonjs`;
const JEST = ["node_modules/jest/bin/jest.js", "--ci", "--json"];
const TSC = ["node_modules/typescript/bin/tsc", "--noEmit"];
/**
 * The mistakes in docs/guide/typescript-and-jest.md: file, right setting, mistake, command, error.
 */
const MISTAKES = [
  ["tsconfig.json", '"module": "nodenext"', '"module": "node18"', TSC, "TS1479"],
  [
    "tsconfig.json",
    '"module": "nodenext",\n    "moduleResolution": "nodenext"',
    '"module": "commonjs",\n    "moduleResolution": "node"',
    TSC,
    "TS2307",
  ],
  [
    "package.json",
    '"/node_modules/(?!@tillkit/)"',
    '"/node_modules/"',
    JEST,
    "Must use import to load ES Module",
  ],
] as const;
const { jest, "ts-jest": tsJest, "types-jest": typesJest } = REGISTRY_VERSIONS;

/** Runs tests in a CommonJS project with NestJS's settings, and with the mistakes of the guide. */
export const jestCommonJs: AdoptionStep = {
  name: "jest-commonjs",
  shows: "an embedder's tests pass with Jest and ts-jest on CommonJS",
  run: async ({ folder, tarballs }) => {
    await cp(PROJECT, folder, { recursive: true });
    await cp(`${root}examples/embedder-tests/src/memberships.ts`, `${folder}/src/memberships.ts`);
    const own = ["@tillkit/core", "@tillkit/fetch", "@tillkit/host", "@tillkit/memory", "@tillkit/runtime"];
    const others = [
      jest,
      tsJest,
      typesJest,
      asInstalled("neverthrow"),
      asInstalled("typescript"),
      asInstalled("@types/node"),
    ];
    await install(folder, tarballs, own, others);
    await runOrThrow(process.execPath, TSC, folder);
    const output = await runOrThrow(process.execPath, JEST, folder);
    const passed = Number(/"numPassedTests":\s*(\d+)/u.exec(output)?.[1]);
    if (!(passed >= 5)) throw new Error(`Jest passed ${passed} tests instead of 5.\n${output}`);
    const lines = [`type-checked, and ${passed} tests passed`];
    for (const [file, text, other, command, message] of MISTAKES) {
      const path = `${folder}/${file}`;
      const right = await readFile(path, "utf8");
      if (!right.includes(text)) throw new Error(`${file} has no ${text}.`);
      await writeFile(path, right.replace(text, other));
      const failed = await runOrThrow(process.execPath, command, folder).catch(String);
      await writeFile(path, right);
      if (!failed.includes(message)) throw new Error(`With ${other}, the error is another one.\n${failed}`);
      lines.push(`the mistake of the page causes: ${message}`);
    }
    return lines.join("\n");
  },
};
