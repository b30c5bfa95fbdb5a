import { expect, it } from "vitest";
import { onePersonUntil } from "./one-person-until.js";
import { grantsAfter, type OperatorGrant, raisesRights } from "./operator-grant.js";

it("counts a higher role and further apps as a raise", () => {
  const support = { role: "support" } as const;
  expect(raisesRights(support, { role: "finance" })).toBe(true);
  expect(raisesRights(support, { role: "viewer" })).toBe(false);
  expect(raisesRights(support, support)).toBe(false);
  expect(raisesRights({ ...support, apps: ["a"] }, { ...support, apps: ["a", "b"] })).toBe(true);
  expect(raisesRights({ ...support, apps: ["a", "b"] }, { ...support, apps: ["b"] })).toBe(false);
  expect(raisesRights({ ...support, apps: ["a"] }, support)).toBe(true);
  expect(raisesRights(support, { ...support, apps: ["a"] })).toBe(false);
  expect(raisesRights({ ...support, apps: ["a"] }, { role: "viewer", apps: ["b"] })).toBe(true);
});

it("keeps the latest grant of each operator", () => {
  const after = (grants: readonly OperatorGrant[], operator: string, at: number, from = "192.0.2.1") =>
    grantsAfter({ name: "y", grants }, "reset", { operator, at, from });
  const grants = after(after(after([], "x", 1), "z", 2), " X", 3);
  expect(grants.map(({ by, at }) => [by, at])).toEqual([
    ["z", 2],
    [" X", 3],
  ]);
  expect(after(grants, "Y", 4)).toEqual(grants);
  expect(after(grants, "z", 4, "cli")).toEqual([{ by: "z", at: 4, kind: "reset", origin: "cli" }]);
});

it("keeps the latest hundred grants", () => {
  const makers = Array.from({ length: 150 }, (_, nth) => `maker-${nth}`);
  let grants: readonly OperatorGrant[] = [];
  for (const [at, operator] of makers.entries())
    grants = grantsAfter({ name: "y", grants }, "raise", { operator, at, from: "192.0.2.1" });
  expect(grants.map(({ by }) => by)).toEqual(makers.slice(-100));
  expect(onePersonUntil([{ name: "y", grants }], ["maker-149", "y"], 1_000, 150)).toBe(149 + 1_000);
});
