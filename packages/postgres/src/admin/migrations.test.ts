import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { MIGRATIONS } from "./migrations.js";

it("the name and checksum of a released migration never change", () => {
  expect(MIGRATIONS.map(({ name, checksum }) => `${checksum}  ${name}`)).toEqual([
    "9c9702561a2587e1988a38e8b02d650725eb5ad77719d2cd869ac81565e740a4  0001-first-schema",
  ]);
});

it("MIGRATIONS lists every migration of the folder, in the order of their numbers", () => {
  const files = readdirSync(new URL("migrations", import.meta.url)).sort();
  expect(MIGRATIONS.map(({ name }) => `${name}.ts`)).toEqual(files);
});
