import { readFileSync } from "node:fs";
import { subset } from "semver";
import { expect, it } from "vitest";
import { z } from "zod";
import { publishablePackages, readJsonFile, root } from "@tillkit/repository";

const names = z.record(z.string(), z.string()).default({});
const locked = z.object({
  link: z.boolean().default(false),
  optional: z.boolean().default(false),
  resolved: z.string().optional(),
  engines: z.looseObject({ node: z.string().optional() }).optional().catch(undefined),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).default({}),
});
const lock = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(readJsonFile(`${root}package-lock.json`)).packages;
/** The versions that npm installs here and not for readers. */
const { overrides } = z
  .object({ overrides: z.record(z.string(), z.unknown()) })
  .parse(readJsonFile(`${root}package.json`));

it.each(publishablePackages())("$name runs on every version of Node that its engines name", ({ path }) => {
  const own = path.slice(root.length);
  const range = lock[own]?.engines?.node ?? "*";
  const stricter = treeOf(own).flatMap((one) => {
    const needed = lock[one]?.engines?.node ?? "*";
    return subset(range, needed) ? [] : [`${one} needs Node ${needed}; ${own} promises ${range}`];
  });
  expect(stricter).toEqual([]);
});

it.each(publishablePackages())("$name names in its README what this repository pins for it", ({ path }) => {
  const installed = treeOf(path.slice(root.length)).filter((place) => !entry(place).optional);
  const readme = readFileSync(`${path}/README.md`, "utf8");
  const pinned = Object.keys(overrides).filter((name) => installed.includes(`node_modules/${name}`));
  expect(pinned.filter((name) => !readme.includes(name))).toEqual([]);
});

/** Returns the places in the lock file of a package and of all that npm installs with it. */
function treeOf(start: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [start];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry(place);
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const next = placeOf(name, place);
      // npm installs an optional package only on some platforms.
      if (next !== undefined) waiting.push(next);
      else expect(Object.keys(optionalDependencies)).toContain(name);
    }
  }
  return [...found];
}

/** Returns where a package finds another one, as Node does, or `undefined` if it is missing. */
function placeOf(name: string, from: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))) {
    const candidate = `${place === "" ? "" : `${place}/`}node_modules/${name}`;
    const target = lock[candidate];
    if (target !== undefined) return target.link ? target.resolved : candidate;
    if (place === "") return undefined;
  }
}

function entry(place: string): z.infer<typeof locked> {
  const found = lock[place];
  if (found === undefined) throw new Error(`${place} is not in package-lock.json.`);
  return found;
}
