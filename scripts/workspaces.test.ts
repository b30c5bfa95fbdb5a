import { existsSync, readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { publishablePackages, root, workspacesIn } from "./lib/packages.js";

it("type-checks every workspace: the root tsconfig.json refers to each", () => {
  const { projectReferences = [] } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  const bench = existsSync(`${root}bench/package.json`) ? [`${root}bench`] : [];
  const workspaces = [...workspacesIn("packages"), ...workspacesIn("examples")].map(({ path }) => path);
  expect(projectReferences.map(({ path }) => path).sort()).toEqual([...workspaces, ...bench].sort());
});

it("releases only published packages: every changeset names some, and no other package", () => {
  const published = new Set(publishablePackages().map(({ name }) => name));
  const changesets = readdirSync(`${root}.changeset`).filter((file) => file.endsWith(".md"));
  const problems = changesets.flatMap((file) => {
    const [, frontMatter = ""] = readFileSync(`${root}.changeset/${file}`, "utf8").split(/^---$/mu);
    const names = [...frontMatter.matchAll(/^"([^"]+)": (?:major|minor|patch)$/gmu)].map(
      ([, name = ""]) => name,
    );
    const unknown = names.filter((name) => !published.has(name));
    return names.length === 0 ? [`${file} names no package`] : unknown.map((name) => `${file} names ${name}`);
  });
  expect(problems).toEqual([]);
});

it("lists every package in CONTRIBUTING.md, with its folder", () => {
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  const rows = new Set(
    [...page.matchAll(/^\| `([^`]+)` +\| `([^`]+)`/gmu)].map(([, name, path]) => `${name} ${path}`),
  );
  const missing = workspacesIn("packages")
    .map(({ name, path }) => `${name} ${path.slice(root.length)}`)
    .filter((row) => !rows.has(row));
  expect(missing).toEqual([]);
});
