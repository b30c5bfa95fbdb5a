import { existsSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { root, workspacesIn } from "./lib/packages.js";

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
