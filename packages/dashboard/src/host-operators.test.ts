import { expectOk } from "@tillkit/contract-tests";
import { type Operator, policyWith } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import * as z from "zod";
import { dashboardSurface } from "./dashboard-surface.js";
import { send } from "./testing/open-dashboard.js";
import { anApp, aPaidOrder } from "./testing/paid-orders.js";

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
      post: (path: string, body: unknown) => send(surface, { method: "POST", path, body, headers }),
    };
  };
  return { ports, appId, enter };
}

it.each(["Han", "HAN", " han ", "ｈan"])("han cannot decide about the own refund as %j", async (other) => {
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

it("another operator decides", async () => {
  const { ports, appId, enter } = await aHost();
  const [han, li] = [await enter("han"), await enter("li")];
  const refund = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  const { json } = await han.post(`/api/orders/${appId}/b-1/refunds`, refund);
  const path = `/api/refund-approvals/${waiting.parse(json).approval.id}/approve`;
  expect((await li.post(path, { reason: "checked" })).status).toBe(200);
  expect(ports.wallets.WALLET_A.balance()).toBe(200);
});
