import { expectOk } from "@tillkit/contract-tests";
import { expect, it, describe } from "vitest";
import type { OperatorRoute } from "./api/route.js";
import { operatorRoutes } from "./api/routes.js";
import { openDashboard, send, type TestRequest } from "./testing/open-dashboard.js";

/** A request that matches the route. Its values need not be valid: it is refused before. */
function requestFor({ method, path }: OperatorRoute): TestRequest {
  const request = { method, path: path.replaceAll(/\{\w+\}/g, "root") };
  return method === "GET" ? request : { ...request, body: { reason: "test" } };
}

const named = operatorRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);
const guarded = named.filter(([, { allowed }]) => allowed !== "anyone");
const changes = guarded.filter(([, { method }]) => method !== "GET");

async function aDashboard() {
  const dashboard = openDashboard();
  const { ports, surface, create, signIn } = dashboard;
  await create("root", "admin");
  const root = await signIn("root");
  /** Everything that a refused request could change. */
  const state = async () => ({
    operators: await expectOk(ports.operators.list()),
    apps: await expectOk(ports.apps.list()),
    session: (await root.get("/api/session")).json,
  });
  const before = await state();
  const logged = await expectOk(ports.auditLog.read(0, 1_000));
  const since = logged.length;
  /** Expects that the route refused the request, and that the log contains a refused change. */
  const expectRefused = async (
    { action }: OperatorRoute,
    request: TestRequest,
    failure: string,
    operator = "",
  ) => {
    const answer = await send(surface, request);
    expect(answer.json).toMatchObject({ error: { name: failure } });
    expect([401, 403]).toContain(answer.status);
    expect(answer.cookies).toEqual([]);
    expect(await state()).toEqual(before);
    const added = await expectOk(ports.auditLog.read(since, 1_000));
    const entry = {
      action,
      outcome: "refused",
      operator,
      detail: JSON.stringify({ failure }),
      from: "192.0.2.1",
    };
    expect(added).toMatchObject(action === undefined ? [] : [entry]);
  };
  return { ...dashboard, root, expectRefused };
}

it("has an action for the audit log for every change", () => {
  const without = changes.filter(([, { action }]) => action === undefined).map(([name]) => name);
  expect(without).toEqual([]);
});

it("allows only the sign-in without a session", () => {
  const open = named.filter(([, { allowed }]) => allowed === "anyone").map(([name]) => name);
  expect(open).toEqual(["GET /api/session", "POST /api/session"]);
});

describe.each(guarded)("%s", (_, route) => {
  it("is refused without a session", async () => {
    const { expectRefused } = await aDashboard();
    await expectRefused(route, requestFor(route), "session.missing");
  });

  it("is refused with a cookie that belongs to no session", async () => {
    const { expectRefused } = await aDashboard();
    const headers = { cookie: `__Secure-tillkit-operator=${"A".repeat(43)}` };
    await expectRefused(route, { ...requestFor(route), headers }, "session.missing");
  });

  it("is refused after the session has ended", async () => {
    const { surface, create, signIn, ports } = openDashboard();
    await create("root", "admin");
    const { cookie, csrfToken } = await signIn("root");
    ports.clock.advance(60 * 60_000);
    const headers = { cookie, "x-csrf-token": csrfToken };
    const answer = await send(surface, { ...requestFor(route), headers });
    expect(answer.json).toMatchObject({ error: { name: "session.missing" } });
  });
});

describe.each(changes)("%s", (_, route) => {
  it.each([
    ["without the token against forged requests", () => ({})],
    ["with the token of another session", (other: string) => ({ "x-csrf-token": other })],
  ])("is refused %s", async (_name, header) => {
    const { root, expectRefused } = await aDashboard();
    const stale = root.csrfToken.replace(/^./, root.csrfToken.startsWith("A") ? "B" : "A");
    const headers = { cookie: root.cookie, ...header(stale) };
    await expectRefused(route, { ...requestFor(route), headers }, "csrf.invalid", "root");
  });

  it("is refused from another site, also with the right token", async () => {
    const { root, expectRefused } = await aDashboard();
    const token = { cookie: root.cookie, "x-csrf-token": root.csrfToken };
    const headers = { ...token, "sec-fetch-site": "cross-site" };
    await expectRefused(route, { ...requestFor(route), headers }, "origin.forbidden", "root");
  });
});

it("records the refusals of one address up to a limit, so that they cannot fill the log", async () => {
  const { surface, ports } = openDashboard();
  for (let nth = 0; nth < 120; nth += 1)
    await send(surface, { method: "POST", path: "/api/operators", body: { reason: "x" } });
  expect(await expectOk(ports.auditLog.read(0, 1_000))).toHaveLength(100);
});

it("answers 404 to an unknown endpoint", async () => {
  const { surface } = openDashboard();
  const answer = await send(surface, { path: "/api/none" });
  expect(answer).toMatchObject({ status: 404, json: { error: { name: "endpoint.not-found" } } });
});

it("records a path with control characters without them", async () => {
  const { surface, ports } = openDashboard();
  await send(surface, { method: "POST", path: "/api/operators/a%00%0Ab/reset", body: { reason: "x" } });
  const [entry] = await expectOk(ports.auditLog.read(0, 10));
  expect(entry).toMatchObject({ outcome: "refused", subject: "operator:a??b" });
});
