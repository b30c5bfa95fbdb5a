import { randomUUID } from "node:crypto";
import { expectOk } from "@tillkit/contract-tests";
import { type Operator, policyWith } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import * as z from "zod";
import { dashboardSurface } from "./dashboard-surface.js";
import { send, sendForText } from "./testing/open-dashboard.js";
import { anApp, aPaidOrder } from "./testing/paid-orders.js";

const DAY = 86_400_000;
const waiting = z.object({ approval: z.object({ id: z.string() }) });
const listed = z.object({ items: z.array(z.object({ mine: z.boolean() })) });

/** A dashboard whose single sign-on passes the name on as the person typed it. */
async function aHost() {
  const ports = memoryPorts({ policy: policyWith({ refundApprovalOver: 300 }) });
  const authorize = async ({ headers }: { readonly headers: Pick<Headers, "get"> }) => {
    const name = headers.get("x-user");
    const operator: Operator | undefined =
      name === null ? undefined : { name: decodeURIComponent(name), role: "finance" };
    return operator;
  };
  const surface = dashboardSurface(ports, { authorize, mountPath: "/dashboard" });
  const appId = await anApp(ports);
  await aPaidOrder(ports, appId, "b-1");
  const enter = async (name: string) => {
    const user = { "x-user": encodeURIComponent(name) };
    const { json } = await send(surface, { path: "/api/session", headers: user });
    const headers = { ...user, "x-csrf-token": String(json["csrfToken"]) };
    return {
      get: (path: string) => send(surface, { path, headers }),
      post: (path: string, body: unknown) =>
        send(surface, {
          method: "POST",
          path,
          body,
          headers: { ...headers, "x-change-id": `test-${randomUUID()}` },
        }),
    };
  };
  return { ports, surface, appId, enter };
}

it("accepts the token of a page for at least one day, and for less than two days", async () => {
  const { ports, appId, enter } = await aHost();
  // A token belongs to a day. The test begins just before the end, and then at the start of a day.
  for (const [start, isLate] of [
    [DAY - 1, true],
    [0, false],
  ] as const) {
    ports.clock.advance(DAY - (ports.clock.now() % DAY) + start);
    const han = await enter("han");
    const sync = async () => (await han.post(`/api/orders/${appId}/b-1/sync`, { reason: "test" })).status;
    expect(await sync()).toBe(200);
    ports.clock.advance(isLate ? DAY : 2 * DAY - 1);
    expect(await sync()).toBe(200);
    ports.clock.advance(1);
    expect(await sync()).toBe(403);
  }
});

it.each([
  ["empty", () => ""],
  ["shorter", (token: string) => token.slice(0, -1)],
  ["longer", (token: string) => `${token}0`],
  ["another operator's", (_: string, other: string) => other],
])("refuses the token of a page if it is %s", async (_, changed) => {
  const { surface, appId, enter } = await aHost();
  await enter("an");
  const tokenOf = async (name: string) =>
    String((await send(surface, { path: "/api/session", headers: { "x-user": name } })).json["csrfToken"]);
  const token = changed(await tokenOf("han"), await tokenOf("an"));
  const answer = await send(surface, {
    method: "POST",
    path: `/api/orders/${appId}/b-1/sync`,
    body: { reason: "test" },
    headers: { "x-user": "han", "x-csrf-token": token, "x-change-id": "change-of-han-1" },
  });
  expect(answer).toMatchObject({ status: 403, json: { error: { name: "csrf.invalid" } } });
});

it("gives the page the addresses where operators sign in and out", async () => {
  const ports = memoryPorts();
  const authorize = async () => undefined;
  const options = { authorize, mountPath: "/dashboard" };
  const addresses = { signInUrl: "/sign-on/start", signOutUrl: "https://login.example/end" };
  const { json } = await send(dashboardSurface(ports, { ...options, ...addresses }), {
    path: "/api/session",
  });
  expect(json).toMatchObject({ operator: null, accounts: false, ...addresses });
  expect((await send(dashboardSurface(ports, options), { path: "/api/session" })).json).not.toHaveProperty(
    "signInUrl",
  );
  for (const signInUrl of ["javascript:alert(1)", "//evil.example", "data:text/html,x", ""])
    expect(() => dashboardSurface(ports, { ...options, signInUrl })).toThrow(RangeError);
});

it.each(["Han", "HAN", " han ", "ｈan"])("han cannot decide about han's refund as %j", async (other) => {
  const { ports, appId, enter } = await aHost();
  const [han, again] = [await enter("han"), await enter(other)];
  const refund = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  const { json } = await han.post(`/api/orders/${appId}/b-1/refunds`, refund);
  const { id } = waiting.parse(json).approval;
  for (const decision of ["approve", "reject"]) {
    const { status } = await again.post(`/api/refund-approvals/${id}/${decision}`, { reason: "checked" });
    expect(status).toBe(403);
  }
  expect(await expectOk(ports.refundApprovals.find(id))).toMatchObject({ state: "WAITING" });
  expect(ports.wallets.WALLET_A.balance()).toBe(600);
  expect(listed.parse((await again.get("/api/refund-approvals")).json).items).toEqual([
    expect.objectContaining({ mine: true }),
  ]);
});

it("another operator can approve han's refund", async () => {
  const { ports, appId, enter } = await aHost();
  const [han, li] = [await enter("han"), await enter("li")];
  const refund = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  const { json } = await han.post(`/api/orders/${appId}/b-1/refunds`, refund);
  const path = `/api/refund-approvals/${waiting.parse(json).approval.id}/approve`;
  expect((await li.post(path, { reason: "checked" })).status).toBe(200);
  expect(ports.wallets.WALLET_A.balance()).toBe(200);
});

it.each(["cross-site", "same-site"])(
  "an export that a page of another site starts is refused: %s",
  async (site) => {
    const { ports, surface } = await aHost();
    const headers = { "x-user": "han", "sec-fetch-site": site };
    const { status, json } = await send(surface, { path: "/api/orders.csv", headers });
    expect({ status, json }).toMatchObject({ status: 403, json: { error: { name: "origin.forbidden" } } });
    const log = (await expectOk(ports.auditLog.search({ action: "orders.export", limit: 9 }))).items;
    expect(log).toMatchObject([{ operator: "han", outcome: "refused" }]);
  },
);

it.each(["same-origin", "none"])(
  "an export from the page or the address bar is answered: %s",
  async (site) => {
    const { surface } = await aHost();
    const headers = { "x-user": "han", "sec-fetch-site": site };
    expect((await sendForText(surface, { path: "/api/orders.csv", headers })).status).toBe(200);
  },
);

it("the browser gets no other members of the host's object", async () => {
  const operator = { name: "han", role: "finance", idToken: "secret" } as const;
  const surface = dashboardSurface(memoryPorts(), { authorize: async () => operator, mountPath: "/" });
  const { json } = await send(surface, { path: "/api/session" });
  expect(json["operator"]).toEqual({ name: "han", role: "finance" });
});

it("a single sign-on that throws at once fails the request, and not the process", async () => {
  const authorize = () => {
    throw new Error("no header");
  };
  const surface = dashboardSurface(memoryPorts(), { authorize, mountPath: "/" });
  expect((await send(surface, { path: "/api/session" })).status).toBe(503);
});
