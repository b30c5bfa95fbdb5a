import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { MIGRATIONS } from "./migrations.js";

it("never changes the name and checksum of a released migration", () => {
  expect(MIGRATIONS.map(({ name, checksum }) => `${checksum}  ${name}`)).toEqual([
    "f7004674668b38ebc5ba0d936b59ebedbc93418406f2cb31c4ffad59d7f2dae4  0001-first-schema",
  ]);
});

it("lists every migration of its folder, in the order of their numbers", () => {
  const files = readdirSync(new URL("migrations", import.meta.url)).sort();
  expect(MIGRATIONS.map(({ name }) => `${name}.ts`)).toEqual(files);
});
