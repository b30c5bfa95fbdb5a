import { expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";

/** An admin of one app, and an admin of every app. */
async function aLimitedAdmin() {
  const dashboard = openDashboard();
  await dashboard.create("root", "admin");
  await dashboard.create("mine", "admin", ["app_mine"]);
  const mine = await dashboard.signIn("mine");
  const accounts = () => expectOk(dashboard.ports.operators.list());
  return { ...dashboard, mine, accounts };
}

it.each([
  ["create an account of every app", "/api/operators", { name: "x", role: "admin" }],
  ["create an account of the same app", "/api/operators", { name: "x", role: "viewer", apps: ["app_mine"] }],
  ["get every app", "/api/operators/mine/role", { role: "admin" }],
  ["change the role of another admin", "/api/operators/root/role", { role: "viewer" }],
  ["get the password of another admin", "/api/operators/root/reset", {}],
  ["disable another admin", "/api/operators/root/disable", {}],
  ["enable an account", "/api/operators/root/enable", {}],
])("an admin of one app cannot %s, which is recorded", async (_, path, body) => {
  const { mine, accounts, ports } = await aLimitedAdmin();
  const before = await accounts();
  const { status, json } = await mine.post(path, { ...body, reason: "test" });
  expect({ status, json }).toMatchObject({ status: 403, json: { error: { name: "permission.denied" } } });
  expect(await accounts()).toEqual(before);
  const [entry] = (await expectOk(ports.auditLog.search({ operator: "mine", outcome: "refused", limit: 1 })))
    .items;
  const detail = JSON.stringify({ failure: "permission.denied" });
  expect(entry).toMatchObject({ operator: "mine", outcome: "refused", detail });
});

it("an admin of one app does not see the operators of others", async () => {
  const { mine } = await aLimitedAdmin();
  expect((await mine.get("/api/operators")).status).toBe(403);
});
