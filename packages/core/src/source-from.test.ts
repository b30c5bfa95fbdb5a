import { describe, expect, it } from "vitest";
import { policyWith } from "./policy.js";
import { sourcesFrom } from "./source-from.js";

describe("sourcesFrom", () => {
  it("adds others to the tokens of the policy", () => {
    expect(sourcesFrom(policyWith({ sourceFromTokens: ["huawei", "xiaomi"] }))).toEqual([
      "huawei",
      "xiaomi",
      "others",
    ]);
  });

  it("has sixteen tokens by default", () => {
    expect(sourcesFrom(policyWith({}))).toHaveLength(17);
    expect(sourcesFrom(policyWith({}))).toEqual(expect.arrayContaining(["store_01", "store_16", "others"]));
  });
});
