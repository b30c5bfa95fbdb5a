import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { publishablePackages, root } from "@tillkit/repository";

it("names only published packages in changesets, and at least one in each", () => {
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
