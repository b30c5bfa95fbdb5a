import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openDashboard } from "./testing/open-dashboard.js";
import { anApp, anOrder, aPaidOrder } from "./testing/paid-orders.js";

const path = (appId: string, identity: string) => `/api/customers/${appId}/${identity}`;

describe("the page of a customer", () => {
  it("has services, live sessions, and the sums of the customer's orders in this app", async () => {
    const ports = memoryPorts();
    const dashboard = openDashboard(ports);
    const [appId, other] = [await anApp(ports), await anApp(ports, "Other")];
    await aPaidOrder(ports, appId, "b-1");
    await anOrder(ports, appId, "b-2");
    await aPaidOrder(ports, other, "b-1");
    const now = ports.clock.now();
    const service = { appId, customerIdentity: "user-1", serviceTypeNo: "month", serviceName: "Month" };
    await expectOk(
      ports.services.importOnce({ ...service, serviceNo: "svc_1", expireTime: now + 1_000, gmtCreate: now }),
    );
    const times = { gmtCreate: now, expiresAt: now + 1_000 };
    const session = { appId, customerId: "user-1", ...times, label: "Phone of Li" };
    await expectOk(ports.sessions.open({ ...session, tokenHash: "a".repeat(64) }, 3));
    await dashboard.create("li", "viewer");
    const li = await dashboard.signIn("li");
    expect(await li.get(path(appId, "user-1"))).toMatchObject({
      status: 200,
      json: {
        appId,
        customerIdentity: "user-1",
        services: [{ serviceNo: "svc_1", expireTime: now + 1_000 }],
        sessions: [{ gmtCreate: now, lastUsedAt: now, expiresAt: now + 1_000, label: "Phone of Li" }],
        totals: { orders: 2, paid: 600, refunded: 0, isLeast: false },
      },
    });
    expect(JSON.stringify((await li.get(path(appId, "user-1"))).json)).not.toContain("tokenHash");
  });

  it.each(["~2E", "~2E~2E", "a~2Fb", "100~25", "kim~3F"])(
    "takes any text as an identity: %s",
    async (segment) => {
      const ports = memoryPorts();
      const dashboard = openDashboard(ports);
      const appId = await anApp(ports);
      await dashboard.create("li", "viewer");
      const li = await dashboard.signIn("li");
      const { status, json } = await li.get(path(appId, segment));
      expect(status).toBe(200);
      expect(json).toMatchObject({ services: [], sessions: [], totals: { orders: 0 } });
      expect(json["customerIdentity"]).toBe(decodeURIComponent(segment.replaceAll("~", "%")));
    },
  );

  it("does not exist for an app that the operator does not see, nor without a session", async () => {
    const ports = memoryPorts();
    const dashboard = openDashboard(ports);
    const [mine, other] = [await anApp(ports), await anApp(ports, "Other")];
    await aPaidOrder(ports, other, "b-1");
    await dashboard.create("li", "admin", [mine]);
    const li = await dashboard.signIn("li");
    expect(await li.get(path(other, "user-1"))).toMatchObject({
      status: 404,
      json: { error: { name: "app.unknown" } },
    });
    expect(await li.get(path("app_unknown", "user-1"))).toMatchObject({
      json: { error: { name: "app.unknown" } },
    });
  });
});

/** Creates an app with a customer who logged in by phone and paid an order with texts. */
async function aPhoneCustomer() {
  const ports = memoryPorts();
  const dashboard = openDashboard(ports);
  const appId = await anApp(ports);
  const hashes = ports.digest.keyed(`phone\n${appId}\n+8613800138000`);
  await expectOk(ports.sessions.identify(appId, hashes, "user-1", 1));
  const now = ports.clock.now();
  const session = { appId, customerId: "user-1", gmtCreate: now, expiresAt: now + 1_000_000 };
  for (const hash of ["a", "b"])
    await expectOk(ports.sessions.open({ ...session, tokenHash: hash.repeat(64) }, 5));
  await aPaidOrder(ports, appId, "b-1");
  await dashboard.create("root", "admin");
  const root = await dashboard.signIn("root");
  return { ports, appId, root, at: (change: string) => `${path(appId, "user-1")}/${change}` };
}

describe("what an administrator does with a customer", () => {
  it("exports the data as a file, with an audit entry", async () => {
    const { ports, appId, root, at } = await aPhoneCustomer();
    const { status, json } = await root.get(at("export"));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      appId,
      customerIdentities: ["user-1"],
      orders: [{ order: { bizNo: "b-1" } }],
    });
    expect(JSON.stringify(json)).not.toContain("aaaa");
    const entries = await expectOk(ports.auditLog.search({ action: "customer.export", limit: 5 }));
    expect(entries.items).toMatchObject([
      { operator: "root", outcome: "done", subject: `customer:${appId}/user-1` },
    ]);
  });

  it("ends one session, then all", async () => {
    const { appId, root, at } = await aPhoneCustomer();
    const { json } = await root.get(path(appId, "user-1"));
    const { sessions } = z.object({ sessions: z.array(z.object({ id: z.string() })) }).parse(json);
    const one = await root.post(at("sessions/end"), { sessionId: sessions[0]?.id, reason: "stolen" });
    expect(one.json).toEqual({ sessions: 1 });
    const left = await root.get(path(appId, "user-1"));
    expect(left.json["sessions"]).toMatchObject([{ id: sessions[1]?.id }]);
    expect((await root.post(at("sessions/end"), { reason: "stolen" })).json).toEqual({ sessions: 1 });
  });

  it("erases the customer, without the erased data in the audit log", async () => {
    const { ports, root, at } = await aPhoneCustomer();
    const request = { reason: "request 42", typedIdentity: "user-1" };
    const { status, json } = await root.post(at("erase"), request);
    expect({ status, json }).toMatchObject({ status: 200, json: { phones: 1, sessions: 2, inFlight: 0 } });
    const entries = await expectOk(ports.auditLog.search({ action: "customer.erase", limit: 5 }));
    expect(entries.items).toHaveLength(1);
    expect(JSON.stringify(entries.items)).not.toContain("13800138000");
  });

  it.each([undefined, "", "user-2", "USER-1", "user-1x"])(
    "erases nothing if the typed identity is %j",
    async (typedIdentity) => {
      const { ports, appId, root, at } = await aPhoneCustomer();
      const refused = await root.post(at("erase"), { reason: "request 42", typedIdentity });
      expect(refused).toMatchObject({ status: 400, json: { error: { parameter: "typedIdentity" } } });
      expect((await root.get(path(appId, "user-1"))).json["sessions"]).toHaveLength(2);
      const entries = await expectOk(ports.auditLog.search({ action: "customer.erase", limit: 5 }));
      expect(entries.items.filter(({ outcome }) => outcome === "done")).toEqual([]);
    },
  );

  it("changes a phone number only of this customer, and stores nothing that depends on the number", async () => {
    const { ports, appId, root, at } = await aPhoneCustomer();
    const move = { from: "13800138000", to: "13900139000", reason: "new number" };
    const foreign = await root.post(`${path(appId, "user-2")}/numbers/move`, move);
    expect(foreign).toMatchObject({ status: 409, json: { error: { name: "number.unassigned" } } });
    expect(await root.post(at("numbers/move"), move)).toMatchObject({ status: 200, json: { sessions: 2 } });
    const detach = { mobileNo: "13900139000", reason: "recycled" };
    expect((await root.post(`${path(appId, "user-2")}/numbers/detach`, detach)).status).toBe(409);
    expect((await root.post(at("numbers/detach"), detach)).status).toBe(200);
    expect((await root.post(at("numbers/detach"), { ...detach, mobileNo: "12" })).json).toMatchObject({
      error: { name: "mobile-no.invalid" },
    });
    const entries = await expectOk(ports.auditLog.search({ apps: [appId], limit: 50 }));
    for (const number of [move.from, move.to]) expect(JSON.stringify(entries.items)).not.toContain(number);
    const digests = entries.items.flatMap(({ change }) => change?.digest ?? []);
    const again = await root.post(at("numbers/detach"), detach);
    expect(again.status).toBe(409);
    const later = await expectOk(ports.auditLog.search({ apps: [appId], limit: 1 }));
    // A detachment of any number of this customer for the same reason has the same digest.
    expect(digests).toContain(later.items[0]?.change?.digest);
  });
});
