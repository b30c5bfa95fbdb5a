import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
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
    const session = { appId, customerId: "user-1", gmtCreate: now, expiresAt: now + 1_000 };
    await expectOk(ports.sessions.open({ ...session, tokenHash: "a".repeat(64) }, 3));
    await dashboard.create("li", "viewer");
    const li = await dashboard.signIn("li");
    expect(await li.get(path(appId, "user-1"))).toMatchObject({
      status: 200,
      json: {
        appId,
        customerIdentity: "user-1",
        services: [{ serviceNo: "svc_1", expireTime: now + 1_000 }],
        liveSessions: 1,
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
      expect(json).toMatchObject({ services: [], liveSessions: 0, totals: { orders: 0 } });
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
