import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { withTemporaryFolder } from "@tillkit/repository";
import { expect, it } from "vitest";
import { type Io, run } from "./run.js";

/** Runs the program without a terminal. */
async function outcomeOf(args: readonly string[], changes: Partial<Io> = {}) {
  const printed: string[] = [];
  const errors: string[] = [];
  const code = await run(args, {
    print: (text) => void printed.push(text),
    printError: (text) => void errors.push(text),
    isInteractive: false,
    userAgent: undefined,
    ...changes,
  });
  return { code, printed: printed.join("\n"), errors: errors.join("\n") };
}

it("writes the project, and prints what to do next", async () => {
  await withTemporaryFolder(async (parent) => {
    const folder = `${parent}/shop`;
    const { code, printed } = await outcomeOf([folder, "--framework", "fastify", "--no-install"]);
    expect(code).toBe(0);
    expect(printed).toMatch(/Next:\n\n {2}cd \S+\/shop\n {2}npm install\n {2}npm test\n {2}npm run dev\n/u);
    expect(printed).toContain("\nA warning of npm about install scripts needs no action.");
    expect(readFileSync(`${folder}/src/server.ts`, "utf8")).toContain('from "fastify"');
  });
});

it("uses the package manager that runs it, unless an option names another", async () => {
  await withTemporaryFolder(async (parent) => {
    const userAgent = "pnpm/10.0.0 npm/? node/v24.0.0 linux x64";
    const asPnpm = (...args: string[]) => outcomeOf([...args, "--no-install"], { userAgent });
    expect((await asPnpm(`${parent}/a`)).printed).toContain("pnpm run dev");
    expect((await asPnpm(`${parent}/b`, "--package-manager", "yarn")).printed).toContain("yarn run dev");
    const asYarn = (folder: string, version: string) =>
      outcomeOf([folder, "--no-install"], { userAgent: `yarn/${version} npm/? node/v24.0.0 linux x64` });
    expect((await asYarn(`${parent}/c`, "1.22.22")).printed).toContain("yarn run dev");
    expect((await asYarn(`${parent}/d`, "4.12.0")).printed).toContain("npm run dev");
  });
});

it.each([
  [["--frame", "next"], "Unknown option '--frame'"],
  [["--framework", "koa"], '--framework is one of node, express, fastify, hono, next, nest, not "koa"'],
  [["--package-manager", "cargo"], "--package-manager is one of npm, pnpm, yarn"],
  [["a", "b"], "Name one folder, not 2. npm passes options on only after `--`"],
])("refuses the arguments %j, and names --help", async (args, message) => {
  const { code, errors } = await outcomeOf(args);
  expect(code).toBe(2);
  expect(errors).toContain(message);
  expect(errors).toMatch(/See --help\.$/u);
});

it("needs a folder or --yes without a terminal", async () => {
  const { code, errors } = await outcomeOf(["--no-install"]);
  expect(code).toBe(1);
  expect(errors).toMatch(/no terminal to ask in\. Name the folder, .* or add --yes/u);
});

it("asks nothing if the options answer everything, with and without a terminal", async () => {
  await withTemporaryFolder(async (parent) => {
    for (const isInteractive of [false, true]) {
      const folder = `${parent}/shop-${isInteractive}`;
      const answers = ["--framework", "hono", "--package-manager", "pnpm", "--no-install"];
      const { code, printed } = await outcomeOf([folder, "--yes", ...answers], { isInteractive });
      expect(code).toBe(0);
      expect(printed).toContain("pnpm run dev");
      expect(readFileSync(`${folder}/src/server.ts`, "utf8")).toContain('from "hono"');
    }
  });
});

it("writes nothing into a folder that is not empty", async () => {
  await withTemporaryFolder(async (parent) => {
    await mkdir(`${parent}/shop`);
    await writeFile(`${parent}/shop/mine.txt`, "");
    const { code, errors } = await outcomeOf([`${parent}/shop`, "--yes", "--no-install"]);
    expect(code).toBe(1);
    expect(errors).toContain("Choose another name, or empty the folder first.");
    expect(existsSync(`${parent}/shop/package.json`)).toBe(false);
  });
});

it("prints its help and its version", async () => {
  expect((await outcomeOf(["--help"])).printed).toMatch(/^usage: npm create tillkit/u);
  expect((await outcomeOf(["--version"])).printed).toMatch(/^\d+\.\d+\.\d+$/u);
});
