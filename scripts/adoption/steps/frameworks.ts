import { cp, writeFile } from "node:fs/promises";
import { z } from "zod";
import { readJsonFile, root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const EXAMPLE = `${root}examples/frameworks`;
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** Compiles the recipes of `examples/frameworks` with `tsc`, and takes a payment on each. */
export const frameworks: AdoptionStep = {
  name: "frameworks",
  shows: "the recipes for Hono, Koa and NestJS, compiled and run",
  run: async ({ folder, tarballs }) => {
    await cp(`${EXAMPLE}/src`, `${folder}/src`, {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
    await writeFile(
      `${folder}/tsconfig.json`,
      JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }),
    );
    const names = Object.keys(manifest.parse(readJsonFile(`${EXAMPLE}/package.json`)).dependencies);
    const published = new Set(tarballs.map(({ workspace }) => workspace.name));
    const own = names.filter((name) => published.has(name));
    const others = [
      ...names.filter((name) => !published.has(name)),
      "@types/koa",
      "@types/node",
      "typescript",
    ];
    await install(folder, tarballs, own, others.map(asInstalled));
    await runOrThrow(process.execPath, ["node_modules/typescript/bin/tsc"], folder);
    return (await runOrThrow(process.execPath, ["out/main.js"], folder)).trim();
  },
};

const OPTIONS = {
  target: "ES2022",
  module: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  // The declarations of the frameworks themselves are not under test.
  experimentalDecorators: true,
  skipLibCheck: true,
  outDir: "out",
  rootDir: "src",
};
