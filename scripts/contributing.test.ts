import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { readJsonFile, root } from "@tillkit/repository";

const manifest = z.object({ name: z.string() });

it("lists every package in CONTRIBUTING.md, with its folder", () => {
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  const rows = new Set(
    [...page.matchAll(/^\| `([^`]+)` +\| `([^`]+)`/gmu)].map(([, name, path]) => `${name} ${path}`),
  );
  const packages = ["packages", "packages/internal"]
    .filter((parent) => existsSync(root + parent))
    .flatMap((parent) => readdirSync(root + parent).map((folder) => `${parent}/${folder}`))
    .filter((path) => existsSync(`${root}${path}/package.json`))
    .map((path) => `${manifest.parse(readJsonFile(`${root}${path}/package.json`)).name} ${path}`);
  expect(packages.filter((row) => !rows.has(row))).toEqual([]);
  expect(packages.length).toBeGreaterThan(10);
});
