import { expect, it } from "vitest";
import { publishablePackages } from "@tillkit/repository";
import type { PackedPackage } from "../lib/pack.js";
import { releaseProblems } from "./release-problems.js";

const [sample] = publishablePackages();

/** Returns a package as a release has it. */
function packed(change: Partial<PackedPackage["workspace"]> = {}, files = ["CHANGELOG.md"]): PackedPackage {
  if (sample === undefined) throw new Error("No package is published.");
  const workspace = {
    ...sample,
    name: "@tillkit/a",
    version: "0.1.0",
    dependencies: {},
    peerDependencies: {},
  };
  return { workspace: { ...workspace, ...change }, files };
}

it("releaseProblems accepts packages with one version and a change log", () => {
  const dependencies = { "@tillkit/a": "^0.1.0", zod: "^4.0.0" };
  expect(releaseProblems([packed(), packed({ name: "@tillkit/b", dependencies })])).toEqual([]);
});

it("releaseProblems finds different versions", () => {
  const problems = releaseProblems([packed(), packed({ name: "@tillkit/b", version: "0.2.0" })]);
  expect(problems).toEqual(["The versions differ: 0.1.0, 0.2.0"]);
});

it("releaseProblems finds a tarball without a change log", () => {
  expect(releaseProblems([packed({}, ["README.md"])])).toEqual([
    "@tillkit/a has no CHANGELOG.md in its tarball",
  ]);
});

it("releaseProblems finds a package that needs another version of its neighbour", () => {
  const dependencies = { "@tillkit/a": "^0.0.0" };
  expect(releaseProblems([packed(), packed({ name: "@tillkit/b", dependencies })])).toEqual([
    "@tillkit/b needs @tillkit/a ^0.0.0, not ^0.1.0",
  ]);
});

it("releaseProblems finds a package without a version", () => {
  expect(releaseProblems([packed({ version: "0.0.0" })])).toEqual([
    "@tillkit/a has no version. Run npm run version.",
  ]);
});
