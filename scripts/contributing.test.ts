import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { publishablePackages, root, workspacesIn } from "@tillkit/repository";

const pathOf = ({ path }: { readonly path: string }): string => path.slice(root.length);

it("README.md lists every published package, with its folder", () => {
  const page = readFileSync(`${root}README.md`, "utf8");
  const packages = publishablePackages();
  expect(packages.filter((one) => !page.includes(`| [\`${one.name}\`](${pathOf(one)})`))).toEqual([]);
  expect(packages.length).toBeGreaterThan(10);
});

it("README.md names both commands of a fresh clone", () => {
  const page = readFileSync(`${root}README.md`, "utf8");
  const commands = ["npm ci && npm start", "npm ci && npm test"];
  expect(commands.filter((command) => !page.includes(command))).toEqual([]);
});

it("CONTRIBUTING.md lists every internal package, and each package has the name of its folder", () => {
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  const rows = new Set(
    [...page.matchAll(/^\| `@tillkit\/([^`]+)`/gmu)].map(
      ([, name = ""]) => `@tillkit/${name} packages/internal/${name}`,
    ),
  );
  const packages = workspacesIn("packages/internal").map((one) => `${one.name} ${pathOf(one)}`);
  expect(packages.filter((row) => !rows.has(row))).toEqual([]);
  expect(packages.length).toBeGreaterThan(10);
});
