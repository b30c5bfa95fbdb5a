import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { publishablePackages, root } from "@tillkit/repository";

const packages = publishablePackages();
const changesets = readdirSync(`${root}.changeset`)
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ file, names: namesIn(readFileSync(`${root}.changeset/${file}`, "utf8")) }));

it("each changeset names at least one package, and only published ones", () => {
  const published = new Set(packages.map(({ name }) => name));
  for (const { file, names } of changesets) {
    expect(names, file).not.toEqual([]);
    expect(names.filter((name) => !published.has(name))).toEqual([]);
  }
});

it("each package has one changeset, named after the package, until the package is released", () => {
  const unreleased = packages.filter(({ version }) => version === "0.0.0").map(({ name }) => name);
  const found = changesets.flatMap(({ file, names }) => names.map((name) => `${file} names ${name}`));
  const expected = unreleased.map((name) => `${name.replace("@tillkit/", "")}.md names ${name}`);
  expect(found.filter((one) => unreleased.some((name) => one.endsWith(` ${name}`))).sort()).toEqual(
    expected.sort(),
  );
});

/** Returns the packages that the front matter of a changeset names. */
function namesIn(text: string): readonly string[] {
  const [, frontMatter = ""] = text.split(/^---$/mu);
  return [...frontMatter.matchAll(/^"([^"]+)": (?:major|minor|patch)$/gmu)].map(([, name = ""]) => name);
}
