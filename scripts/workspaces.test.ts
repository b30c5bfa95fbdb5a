import { existsSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { z } from "zod";
import { readJsonFile, root, workspacesIn } from "@tillkit/repository";

const tsconfig = z.object({ extends: z.string().optional() });

it("the root tsconfig.json refers to every workspace, so that each is type-checked", () => {
  const { projectReferences = [] } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    root,
  );
  const others = [...(existsSync(`${root}bench/package.json`) ? [`${root}bench`] : []), `${root}scripts`];
  const workspaces = (["packages", "packages/internal", "examples"] as const)
    .flatMap((parent) => workspacesIn(parent))
    .map(({ path }) => path)
    .filter((path) => !isCheckedWithScripts(path));
  expect(projectReferences.map(({ path }) => path).sort()).toEqual([...workspaces, ...others].sort());
});

/**
 * Whether only `scripts/tsconfig.json` checks the types of the workspace in this repository.
 *
 * No other workspace imports it, or it is not built because it is made to be copied.
 */
function isCheckedWithScripts(path: string): boolean {
  const base = tsconfig.parse(readJsonFile(`${path}/tsconfig.json`)).extends;
  return base === undefined || base.endsWith("/scripts/tsconfig.json");
}
