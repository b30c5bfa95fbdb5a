import { expectOk } from "@tillkit/contract-tests";
import type { Operator } from "@tillkit/core";
import { headersIn, type HttpReply } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";
import { anApp, anOrder } from "./testing/paid-orders.js";

/** A dashboard whose operator exports the orders of the app. */
async function anExport(apps?: (appId: string) => readonly string[]) {
  const dashboard = openDashboard(memoryPorts());
  const { ports, surface, create, signIn } = dashboard;
  const appId = await anApp(ports);
  await anOrder(ports, appId, "b-1");
  await create("li", "viewer", apps?.(appId));
  const { cookie } = await signIn("li");
  const start = () =>
    surface.handle({
      method: "GET",
      path: "/api/orders.csv",
      query: "",
      peer: "192.0.2.1",
      headers: headersIn({ cookie }),
      body: new Uint8Array(),
      client: new AbortController().signal,
    });
  const setRole = (rights: Pick<Operator, "apps">) => {
    const audit = { at: 0, operator: "", action: "operator.role", outcome: "done", subject: "" } as const;
    const entry = { ...audit, reason: "moved", from: "host", traceId: "" };
    return expectOk(ports.operators.setRole({ name: "li", role: "viewer", ...rights }, 1, entry));
  };
  return { ...dashboard, appId, start, setRole };
}

function textsOf({ body }: HttpReply): AsyncIterator<string> {
  if (typeof body === "string" || body instanceof Uint8Array) throw new TypeError("The reply is no stream.");
  return body[Symbol.asyncIterator]();
}

it("at most three exports of one operator run, and the log records the others as refused", async () => {
  const { start, ports } = await anExport();
  const running = [];
  for (let nth = 0; nth < 3; nth += 1) {
    const texts = textsOf(await start());
    await texts.next();
    running.push(texts);
  }
  const refused = await start();
  expect(refused.status).toBe(429);
  expect(refused.body).toContain("exports.limited");
  const log = (await expectOk(ports.auditLog.search({ action: "orders.export", limit: 10 }))).items;
  expect(log.map(({ outcome }) => outcome)).toEqual(["refused", "done", "done", "done"]);
  await running[0]?.return?.();
  expect((await start()).status).toBe(200);
});

it("at most three exports run also if all requests come at the same time", async () => {
  const { start } = await anExport();
  const replies = await Promise.all(Array.from({ length: 10 }, start));
  const streams = replies.filter(({ status }) => status === 200).map(textsOf);
  const begun = await Promise.allSettled(streams.map((texts) => texts.next()));
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

it.each([
  ["no longer sees an app", (appId: string) => [appId], { apps: [] }],
  ["no longer sees every app", undefined, { apps: ["app_other"] }],
])("an export breaks off if its operator %s", async (_, apps, rights) => {
  const { start, setRole, ports } = await anExport(apps);
  const texts = textsOf(await start());
  await texts.next();
  await setRole(rights);
  ports.clock.advance(15_000);
  await expect(texts.next()).rejects.toThrow("permission.denied");
});

it("an export continues if the rights of its operator stay the same", async () => {
  const { start, ports } = await anExport((appId) => [appId]);
  const texts = textsOf(await start());
  await texts.next();
  ports.clock.advance(15_000);
  expect((await texts.next()).value).toContain("b-1");
  expect((await texts.next()).done).toBe(true);
});
