import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { root, run } from "@tillkit/repository";
import { pages } from "../../docs-snippets/pages.js";
import { inPool } from "../../docs-snippets/pool.js";
import { fileNameOf, moduleOf } from "../../docs-snippets/snippets.js";
import { GIVEN, MY_ADAPTER, MY_STORES } from "../../docs-snippets/workspace.js";
import { type GuidePage, guidePage, PASTED_PAGES } from "../lib/guide-page.js";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

/** The page that tells readers how to run a program of a guide. */
const HOW_TO_RUN = "docs/README.md";

/**
 * Pastes every guide and README into a folder with only the packages of its `npm install` lines.
 *
 * Checks the types of all code blocks with the `tsconfig.json` of {@link HOW_TO_RUN}, and runs the
 * programs, tests and commands.
 */
export const guides: AdoptionStep = {
  name: "guides",
  shows: "the programs and commands of every guide and README, with the packages of the page alone",
  run: async ({ folder, tarballs }) => {
    const { tools } = howToRun();
    const needed = new Set([...tools, ...guidePages().flatMap(({ packages }) => packages)]);
    const own = tarballs.map(({ workspace }) => workspace.name);
    const others = [...needed].filter((name) => !own.includes(name));
    // All packages are installed once, beside the pages, and each page gets links to its own.
    await install(`${folder}/installed`, tarballs, own, others.map(pinned));
    return playGuides(folder);
  },
};

/** Returns the guides and README files with code blocks. */
function guidePages(): readonly GuidePage[] {
  return pages()
    .filter(({ path }) => PASTED_PAGES.test(path))
    .map(guidePage)
    .filter(({ snippets, commands }) => snippets.length + commands.length > 0);
}

/** Pastes, checks and runs all pages below `folder`, whose folder `installed` has all packages. */
async function playGuides(folder: string): Promise<string> {
  const pasted = guidePages();
  const { tools, tsconfig } = howToRun();
  await writeFile(`${folder}/tsconfig.json`, tsconfig);
  await writeFile(`${folder}/installed/given.d.ts`, GIVEN);
  await link(tools, folder, folder);
  for (const page of pasted) await paste(page, `${folder}/${nameOf(page)}`, folder);
  const failures = [...(await typeErrors(folder))];
  const jobs = pasted.map((page) => () => play(page, `${folder}/${nameOf(page)}`));
  for (const result of inPool(2, jobs)) failures.push(...(await result));
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const lines = pasted.map(({ path, snippets, commands }) => {
    const programs = snippets.filter(({ kind }) => kind !== "check").length;
    return `${path}: ${snippets.length} blocks, ${programs} ran, ${commands.length} with commands`;
  });
  return lines.join("\n");
}

/** Reads the tools and the settings that readers use. */
function howToRun() {
  const page = pages().find(({ path }) => path === HOW_TO_RUN);
  const [, tsconfig] = /^```json\n(.*?)^```$/msu.exec(page?.text ?? "") ?? [];
  if (page === undefined || tsconfig === undefined) throw new Error(`${HOW_TO_RUN} has no tsconfig.json`);
  return { tools: guidePage(page).packages, tsconfig };
}

/** Returns the package with a version, so that the step gets the same one every time. */
function pinned(name: string): string {
  return existsSync(`${root}node_modules/${name}/package.json`) ? asInstalled(name) : name;
}

function nameOf({ path }: GuidePage): string {
  return path.replace(/\.md$/u, "").replaceAll("/", "_");
}

/** Gives `place` installed packages. */
async function link(names: readonly string[], place: string, folder: string) {
  for (const name of [...names, ".bin"]) {
    const path = `${place}/node_modules/${name}`;
    await mkdir(dirname(path), { recursive: true });
    await symlink(`${folder}/installed/node_modules/${name}`, path, "dir");
  }
}

/** Writes the blocks of a page into `place`, with the packages of the page. */
async function paste(page: GuidePage, place: string, folder: string) {
  await link(page.packages, place, folder);
  const imports = (name: string) => page.snippets.some(({ code }) => code.includes(`"./${name}.js"`));
  const files = [
    ["package.json", JSON.stringify({ private: true, type: "module" })],
    ...(imports("my-stores") ? [["my-stores.d.ts", MY_STORES] as const] : []),
    ...(imports("my-adapter") ? [["my-adapter.d.ts", MY_ADAPTER] as const] : []),
    ...page.snippets.map((snippet) => [fileNameOf(snippet), moduleOf(snippet)] as const),
  ] as const;
  for (const [name, content] of files) await writeFile(`${place}/${name}`, content);
}

/** Returns the problems of types in all pages. One program for all reads the packages once. */
async function typeErrors(folder: string): Promise<readonly string[]> {
  const { code, output } = await run(`${folder}/node_modules/.bin/tsc`, ["--noEmit", "-p", "."], folder);
  return code === 0 ? [] : output.trim().split("\n");
}

/** Runs the programs, tests and commands of a page in their order. Returns what failed. */
async function play(page: GuidePage, place: string): Promise<readonly string[]> {
  const failures: string[] = [];
  const attempt = async (name: string, command: string, args: readonly string[]) => {
    const { code, output } = await run(command, args, place);
    if (code !== 0) failures.push(`${page.path} ${name}\n${output}`);
  };
  for (const snippet of page.snippets) {
    if (snippet.kind === "run")
      await attempt(`line ${snippet.line}`, "node_modules/.bin/tsx", [fileNameOf(snippet)]);
  }
  if (page.snippets.some(({ kind }) => kind === "test"))
    await attempt("tests", "node_modules/.bin/vitest", ["run", "--testTimeout=60000"]);
  // One shell runs all blocks, as a reader does: variables that one exports remain for the others.
  if (page.commands.length > 0) await attempt("commands", "bash", ["-e", "-c", page.commands.join("\n")]);
  return failures;
}
