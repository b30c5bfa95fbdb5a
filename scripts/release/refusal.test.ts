import { describe, expect, it } from "vitest";
import { publishablePackages } from "@tillkit/repository";
import { refusal } from "./refusal.js";

const packages = publishablePackages().map((one) => ({ ...one, version: "0.1.0" }));
const WORKFLOW = { CI: "true", GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.1.0", NPM_TOKEN: "npm_1" };

describe("npm run release", () => {
  it("publishes in the release workflow, from the tag of the version", () => {
    expect(refusal(packages, [], WORKFLOW)).toBeUndefined();
  });

  it.each([
    ["on the machine of a developer", [], { ...WORKFLOW, CI: undefined }, /--dry-run/u],
    ["on a branch", [], { ...WORKFLOW, GITHUB_REF_TYPE: "branch" }, /--dry-run/u],
    ["from another tag", [], { ...WORKFLOW, GITHUB_REF_NAME: "v0.2.0" }, /Push the tag v0\.1\.0/u],
    ["before npm run version", ["core.md"], WORKFLOW, /no version: core\.md/u],
    ["without a token", [], { ...WORKFLOW, NPM_TOKEN: "" }, /NPM_TOKEN/u],
  ])("refuses %s", (_case, changesets, env, reason) => {
    expect(refusal(packages, changesets, env)).toMatch(reason);
  });
});
