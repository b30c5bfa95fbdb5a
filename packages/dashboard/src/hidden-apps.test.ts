import { aFoundException, expectOk } from "@tillkit/contract-tests";
import { policyWith } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import * as z from "zod";
import { openDashboard } from "./testing/open-dashboard.js";
import { anApp, aPaidOrder } from "./testing/paid-orders.js";

const MINUTE = 60_000;
const RANGE = "from=2026-01-14&until=2026-01-15";
const DAYS = { store: "store_01", from: "2026-01-15", until: "2026-01-15" };
const waiting = z.object({ approval: z.object({ id: z.string() }) });

async function aTeam() {
  const { ports, create, signIn } = openDashboard(
    memoryPorts({ policy: policyWith({ refundApprovalOver: 300 }) }),
  );
  const [own, other] = [await anApp(ports), await anApp(ports, "Other")];
  await aPaidOrder(ports, other, "b-1");
  await create("root", "admin");
  await create("mine", "admin", [own]);
  const [root, mine] = [await signIn("root"), await signIn("mine")];
  const refusals = async () => {
    const found = await expectOk(
      ports.auditLog.search({ operator: "mine", outcome: "refused", limit: 1_000 }),
    );
    return found.items.map(({ action, subject, appId, detail }) => ({ action, subject, appId, detail }));
  };
  return { ports, own, other, root, mine, refusals };
}

const detail = JSON.stringify({ failure: "app.not-visible" });

it.each<[string, (app: string) => readonly [string, string?], string, number]>([
  ["an order", (app) => [`/api/orders/${app}/b-1`], "data.read", 404],
  ["the explanation of an order", (app) => [`/api/orders/${app}/b-1/explanation`], "data.read", 404],
  ["an order that does not exist", (app) => [`/api/orders/${app}/none`], "data.read", 404],
  [
    "the events of an order",
    (app) => ["/api/order-events", `orders=${JSON.stringify([{ appId: app, bizNo: "b-1" }])}`],
    "data.read",
    404,
  ],
  ["a list of orders", (app) => ["/api/orders", `appId=${app}`], "data.read", 200],
  ["an export of orders", (app) => ["/api/orders.csv", `appId=${app}`], "orders.export", 200],
  ["the report of a month", (app) => ["/api/bill-report", `appId=${app}&period=2026-01`], "data.read", 200],
  [
    "an export of the lines of bills",
    (app) => ["/api/bill-report.csv", `appId=${app}&period=2026-01&lines=true`],
    "settlements.export",
    200,
  ],
  ["download counts", (app) => ["/api/downloads", `appId=${app}&${RANGE}`], "data.read", 404],
  [
    "an export of download counts",
    (app) => ["/api/downloads.csv", `appId=${app}&${RANGE}`],
    "downloads.export",
    404,
  ],
  ["the coverage of download counts", (app) => ["/api/downloads/coverage", `appId=${app}`], "data.read", 404],
  ["the data of a customer", (app) => [`/api/customers/${app}/c-1/export`], "customer.export", 404],
  ["service types", (app) => ["/api/setup/service-types", `app=${app}`], "data.read", 404],
  ["the audit log", (app) => ["/api/audit", `app=${app}`], "data.read", 200],
])("an attempt to read %s of another app is recorded", async (_, asked, action, status) => {
  const { other, mine, refusals } = await aTeam();
  const [path, query] = asked(other);
  if (status === 200 && path.endsWith(".csv")) await mine.get(path, query).catch(() => undefined);
  else expect((await mine.get(path, query)).status).toBe(status);
  expect(await refusals()).toMatchObject([{ action, appId: other, detail }]);
});

it.each<[string, (app: string) => readonly [string, object], string]>([
  ["refund", (app) => [`/api/orders/${app}/b-1/refunds`, { refundNo: "r", amount: 1 }], "refund.request"],
  [
    "pay out a refund of",
    (app) => [`/api/orders/${app}/b-1/refunds/r/pay-out`, { payTo: "merchant" }],
    "refund.pay-out",
  ],
  ["close", (app) => [`/api/orders/${app}/b-1/close`, {}], "order.close"],
  ["erase", (app) => [`/api/customers/${app}/c-1/erase`, { typedIdentity: "c-1" }], "customer.erase"],
  ["rotate", (app) => [`/api/setup/apps/${app}/rotate`, { overlap: 0 }], "app.rotate-secret"],
  [
    "create a client of",
    (app) => ["/api/setup/downloads-clients", { appId: app, dailyLimit: 1 }],
    "downloads-client.create",
  ],
  [
    "set counts of",
    (app) => ["/api/downloads/set", { ...DAYS, appId: app, newDownloads: 1, updateDownloads: 1 }],
    "downloads.set",
  ],
  ["delete counts of", (app) => ["/api/downloads/delete", { ...DAYS, appId: app }], "downloads.delete"],
])("an attempt to %s something of another app is recorded, and fails with 404", async (_, asked, action) => {
  const { other, mine, refusals } = await aTeam();
  const [path, body] = asked(other);
  expect((await mine.post(path, { ...body, reason: "test" })).status).toBe(404);
  expect(await refusals()).toMatchObject([{ action, appId: other, detail }]);
});

it("an attempt to approve a refund of another app is recorded, and fails with 404", async () => {
  const { other, root, mine, refusals } = await aTeam();
  const refund = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  const { json } = await root.post(`/api/orders/${other}/b-1/refunds`, refund);
  const path = `/api/refund-approvals/${waiting.parse(json).approval.id}/approve`;
  expect((await mine.post(path, { reason: "test" })).status).toBe(404);
  expect(await refusals()).toMatchObject([{ action: "refund.approve", appId: other, detail }]);
});

it("an attempt to read a client of another app is recorded", async () => {
  const { other, root, mine, refusals } = await aTeam();
  const client = { appId: other, clientId: "reports-of-other", dailyLimit: 1, reason: "new" };
  await root.post("/api/setup/downloads-clients", client);
  expect((await mine.get("/api/downloads", `clientId=reports-of-other&${RANGE}`)).status).toBe(404);
  expect(await refusals()).toMatchObject([{ action: "data.read", appId: other, detail }]);
});

it("an attempt to read or change what belongs to no single app is recorded", async () => {
  const { ports, mine, refusals } = await aTeam();
  const found = aFoundException();
  await expectOk(ports.billExceptions.report([found]));
  expect((await mine.post(`/api/bill-exceptions/${found.id}/resolve`, { note: "x" })).status).toBe(403);
  expect((await mine.get("/api/audit/check")).status).toBe(403);
  expect((await mine.get("/api/event-deliveries")).status).toBe(403);
  expect((await mine.get("/api/status")).status).toBe(403);
  expect(await refusals()).toMatchObject([
    { action: "data.read", subject: "/api/status" },
    { action: "data.read", subject: "/api/event-deliveries" },
    { action: "data.read", subject: "/api/audit/check" },
    { action: "bill-exception.resolve" },
  ]);
});

it("reads of the operator's app are not recorded", async () => {
  const { own, mine, refusals } = await aTeam();
  await mine.get("/api/orders", `appId=${own}`);
  await mine.get(`/api/orders/${own}/none`);
  expect(await refusals()).toEqual([]);
});

it("equal attempts of a minute get one entry", async () => {
  const { ports, other, mine, refusals } = await aTeam();
  for (let second = 0; second < 90; second += 1) {
    await mine.get(`/api/orders/${other}/b-1`);
    ports.clock.advance(1_000);
  }
  expect(await refusals()).toHaveLength(2);
});

it("a sender cannot fill the log with refused reads and failed changes", async () => {
  const { ports, other, own, mine } = await aTeam();
  const before = (await expectOk(ports.auditLog.read(0, 10_000))).length;
  for (let nth = 0; nth < 600; nth += 1) {
    await mine.get(`/api/orders/${other}/b-${nth}`);
    if (nth % 10 === 0) await mine.post(`/api/orders/${own}/none-${nth}/sync`, { reason: "test" });
    ports.clock.advance(MINUTE / 1_000);
  }
  expect((await expectOk(ports.auditLog.read(before, 10_000))).length).toBe(500);
});
