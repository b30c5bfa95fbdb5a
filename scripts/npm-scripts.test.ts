import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { readJsonFile, root } from "@tillkit/repository";
import { repositoryFiles } from "./lib/repository-files.js";

const manifest = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
const GROUPS = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(readJsonFile(`${root}scripts/groups.json`));
/** `npm run docs -- site`: a script, and the first word that it gets. */
const NAMED = /npm run ([a-z][a-z:-]*[a-z])(?: -- ([a-z][a-z-]*))?/gu;

const files = repositoryFiles();
const scripts = new Set(
  files
    .filter((path) => path.endsWith("package.json"))
    .flatMap((path) => Object.keys(manifest.parse(readJsonFile(root + path)).scripts)),
);

it("pages, sources and workflows name only npm scripts that exist", () => {
  // create-tillkit names the scripts of the projects that it writes.
  const texts = files.filter(
    (path) => /\.(?:md|ts|tsx|yml)$|^\.ci\/run$/u.test(path) && !path.startsWith("packages/create-tillkit/"),
  );
  const wrong = texts.flatMap((path) =>
    [...readFileSync(root + path, "utf8").matchAll(NAMED)]
      .filter(([, script = "", program]) => !exists(script, program))
      .map(([command]) => `${path}: ${command}`),
  );
  expect(wrong).toEqual([]);
});

it("the test knows a script, and a program of a group", () => {
  expect(exists("lint", undefined)).toBe(true);
  expect(exists("docs", "site")).toBe(true);
  expect(exists("docs", "sites")).toBe(false);
  expect(exists("crash", undefined)).toBe(false);
});

it("CONTRIBUTING.md lists every script and every program of a group", () => {
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  const table = page.split("\n## Commands\n")[1]?.split("\n## ")[0] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("|"));
  const programs = Object.entries(GROUPS).flatMap(([group, names]) =>
    Object.keys(names).map((name) => `npm run ${group}${name === "" ? "" : ` -- ${name}`}`),
  );
  const own = Object.keys(manifest.parse(readJsonFile(`${root}package.json`)).scripts)
    .filter((name) => !Object.hasOwn(GROUPS, name) && name !== "prepare")
    .map((name) => (["start", "test"].includes(name) ? `npm ${name}` : `npm run ${name}`));
  const missing = [...programs, ...own].filter(
    (command) => !rows.some((row) => row.includes(`\`${command}\``)),
  );
  expect(missing).toEqual([]);
});

/** Whether a script exists, and its program if it is a group. */
function exists(script: string, program: string | undefined): boolean {
  const group = GROUPS[script];
  return scripts.has(script) && (group === undefined || program === undefined || program in group);
}
