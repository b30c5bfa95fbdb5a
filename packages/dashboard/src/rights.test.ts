import { expectOk } from "@tillkit/contract-tests";
import type { OperatorRole } from "@tillkit/core/ports";
import type { MemoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { operatorRoutes } from "./api/routes.js";
import { openDashboard, type TestDashboard } from "./testing/open-dashboard.js";

/**
 * The roles that may use each endpoint, as the operators' guide lists them.
 *
 * Written by hand, because a table that is derived from the code would change with the code.
 */
const RIGHTS = `
GET    /api/session                                              anyone
POST   /api/session                                              anyone
POST   /api/session/code                                         viewer support finance admin
POST   /api/session/enrolment                                    viewer support finance admin
POST   /api/session/enrolment/confirm                            viewer support finance admin
POST   /api/session/enrolment/remove                             viewer support finance admin
POST   /api/session/password                                     viewer support finance admin
DELETE /api/session                                              viewer support finance admin
GET    /api/changes/{changeId}                                   viewer support finance admin

GET    /api/today                                                viewer support finance admin
GET    /api/status                                               viewer support finance admin
GET    /api/orders                                               viewer support finance admin
GET    /api/orders/search                                        viewer support finance admin
GET    /api/orders.csv                                           viewer support finance admin
GET    /api/orders/{appId}/{bizNo}                               viewer support finance admin
GET    /api/orders/{appId}/{bizNo}/explanation                   viewer support finance admin
GET    /api/events                                               viewer support finance admin
GET    /api/event-deliveries                                     viewer support finance admin
GET    /api/order-events                                         viewer support finance admin
GET    /api/customers/{appId}/{customerIdentity}                 viewer support finance admin
GET    /api/refunds                                              viewer support finance admin
GET    /api/refunds.csv                                          viewer support finance admin
GET    /api/refund-approvals                                     viewer support finance admin
GET    /api/bill-days                                            viewer support finance admin
GET    /api/bill-exceptions                                      viewer support finance admin
GET    /api/bill-exceptions.csv                                  viewer support finance admin
GET    /api/bill-report                                          viewer support finance admin
GET    /api/bill-report.csv                                      viewer support finance admin
GET    /api/downloads                                            viewer support finance admin
GET    /api/downloads.csv                                        viewer support finance admin
GET    /api/downloads/coverage                                   viewer support finance admin
GET    /api/downloads/coverage.csv                               viewer support finance admin
GET    /api/setup/apps                                           viewer support finance admin
GET    /api/setup/pay-tools                                      viewer support finance admin
GET    /api/setup/service-types                                  viewer support finance admin
GET    /api/setup/downloads-clients                              viewer support finance admin
GET    /api/setup/stores                                         viewer support finance admin
GET    /api/setup/stores/{store}/merge                                                  admin

POST   /api/customers/{appId}/{customerIdentity}/sessions/end           support finance admin
POST   /api/orders/{appId}/{bizNo}/sync                                 support finance admin
POST   /api/orders/{appId}/{bizNo}/close                                support finance admin
POST   /api/orders/{appId}/{bizNo}/report-shipment                      support finance admin
POST   /api/orders/{appId}/{bizNo}/acknowledge                          support finance admin
POST   /api/orders/{appId}/{bizNo}/refunds/dry-run                      support finance admin
POST   /api/orders/{appId}/{bizNo}/refunds                              support finance admin
POST   /api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync              support finance admin
POST   /api/orders/{appId}/{bizNo}/refunds/adopt                        support finance admin

POST   /api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw                  finance admin
POST   /api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out                   finance admin
POST   /api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle                    finance admin
POST   /api/refund-approvals/{id}/approve                                       finance admin
POST   /api/refund-approvals/{id}/reject                                        finance admin
POST   /api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare           finance admin
POST   /api/bill-exceptions/{id}/adopt                                  support finance admin
POST   /api/bill-exceptions/{id}/resolve                                        finance admin
POST   /api/bill-exceptions/{id}/assign                                         finance admin
POST   /api/bill-exceptions/{id}/not-ours                                       finance admin
POST   /api/bill-exceptions/resolve                                             finance admin
GET    /api/audit                                                               finance admin
GET    /api/audit/check                                                         finance admin
GET    /api/audit.csv                                                           finance admin

GET    /api/customers/{appId}/{customerIdentity}/export                                 admin
POST   /api/customers/{appId}/{customerIdentity}/erase                                  admin
POST   /api/customers/{appId}/{customerIdentity}/numbers/detach                         admin
POST   /api/customers/{appId}/{customerIdentity}/numbers/move                           admin
POST   /api/customers/{appId}/{customerIdentity}/merge                                  admin
POST   /api/setup/apps                                                                  admin
POST   /api/setup/apps/{appId}/rotate                                                   admin
POST   /api/setup/apps/{appId}/rules                                                    admin
POST   /api/setup/apps/{appId}/disable                                                  admin
POST   /api/setup/apps/{appId}/enable                                                   admin
POST   /api/setup/service-types                                                         admin
POST   /api/apps/{appId}/service-types/{serviceTypeNo}/rename                           admin
POST   /api/apps/{appId}/service-types/{serviceTypeNo}/retire                           admin
POST   /api/apps/{appId}/service-types/{serviceTypeNo}/restore                          admin
POST   /api/setup/pay-tools/{id}/change                                                 admin
POST   /api/setup/downloads-clients                                                     admin
POST   /api/setup/downloads-clients/{clientId}/limit                                    admin
POST   /api/setup/downloads-clients/{clientId}/disable                                  admin
POST   /api/setup/downloads-clients/{clientId}/enable                                   admin
POST   /api/setup/downloads-clients/{clientId}/rotate                                   admin
POST   /api/setup/stores                                                                admin
POST   /api/setup/stores/{store}/alias                                                  admin
POST   /api/setup/stores/{store}/rename                                                 admin
POST   /api/setup/stores/{store}/merge                                                  admin
POST   /api/downloads/set                                                               admin
POST   /api/downloads/delete                                                            admin
GET    /api/setup/test-numbers                                                          admin
GET    /api/operators                                                                   admin
POST   /api/operators                                                                   admin
POST   /api/operators/{name}/role                                                       admin
POST   /api/operators/{name}/disable                                                    admin
POST   /api/operators/{name}/enable                                                     admin
POST   /api/operators/{name}/reset                                                      admin
`;

/** Routes that an operator of some apps must not use, although the role has the permission. */
const OF_EVERY_APP = [
  "GET /api/audit/check",
  "GET /api/event-deliveries",
  "GET /api/status",
  "GET /api/operators",
  "POST /api/bill-exceptions/{id}/adopt",
  "POST /api/bill-exceptions/{id}/assign",
  "POST /api/bill-exceptions/{id}/not-ours",
  "POST /api/bill-exceptions/{id}/resolve",
  "POST /api/bill-exceptions/resolve",
  "POST /api/operators",
  "POST /api/operators/{name}/disable",
  "POST /api/operators/{name}/enable",
  "POST /api/operators/{name}/reset",
  "POST /api/operators/{name}/role",
  "POST /api/setup/apps",
];

/** Valid bodies of the endpoints that check them before the apps of the operator. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /api/bill-exceptions/{id}/adopt": { note: "test" },
  "POST /api/bill-exceptions/{id}/assign": { appId: "app_1", bizNo: "b-1", note: "test" },
  "POST /api/bill-exceptions/{id}/not-ours": { note: "test" },
  "POST /api/bill-exceptions/{id}/resolve": { note: "test" },
  "POST /api/bill-exceptions/resolve": { ids: ["x"], note: "test" },
  "POST /api/operators": { name: "new", role: "viewer", reason: "test" },
  "POST /api/operators/{name}/role": { role: "viewer", reason: "test" },
  "POST /api/setup/apps": { name: "New", reason: "test" },
};

const ROLES = ["viewer", "support", "finance", "admin"] as const satisfies readonly OperatorRole[];

const lines = RIGHTS.split("\n").filter((line) => line !== "");
const rows = lines.map((line) => {
  const [method = "", path = "", ...roles] = line.split(/ +/);
  return { name: `${method} ${path}`, roles };
});
const guarded = rows.filter(({ roles }) => !roles.includes("anyone"));

it("names every endpoint of the operators' page, and no other", () => {
  const names = operatorRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(rows.map(({ name }) => name).sort()).toEqual(names.sort());
});

/** Sends a request that matches the endpoint. Its values need not be valid. */
async function ask(name: string, role: OperatorRole, apps?: readonly string[]) {
  const { surface, create, signIn, ports } = openDashboard();
  await create("root", "admin");
  await create("li", role, apps);
  const { cookie, csrfToken } = await signIn("li");
  const since = (await expectOk(ports.auditLog.read(0, 1_000))).length;
  const accounts = await expectOk(ports.operators.list());
  const route = operatorRoutes.find(({ method, path }) => `${method} ${path}` === name);
  if (route === undefined) throw new Error(`There is no endpoint ${name}.`);
  const reply = await surfaceAnswer(surface, route, { cookie, "x-csrf-token": csrfToken });
  const added = await expectOk(ports.auditLog.read(since, 10));
  return { ...reply, route, added, hasChanged: { accounts, now: await expectOk(ports.operators.list()) } };
}

async function surfaceAnswer(
  surface: TestDashboard<MemoryPorts>["surface"],
  { method, path, isChange }: (typeof operatorRoutes)[number],
  headers: Readonly<Record<string, string>>,
) {
  const body = BODIES[`${method} ${path}`] ?? { reason: "test" };
  const answer = await surface.handle({
    method,
    path: path.replaceAll(/\{\w+\}/g, "root"),
    query: path === "/api/order-events" ? `orders=${encodeURIComponent("[]")}` : "",
    headers: {
      get: (name) => (name === "x-change-id" && isChange ? "change-1-of-the-test" : (headers[name] ?? null)),
    },
    body: new TextEncoder().encode(method === "GET" ? "" : JSON.stringify(body)),
    peer: "192.0.2.1",
  });
  return { status: answer.status, text: typeof answer.body === "string" ? answer.body : "" };
}

const cases = guarded.flatMap(({ name, roles }) =>
  ROLES.map((role) => [role, roles.includes(role) ? "may" : "must not", name] as const),
);

it.each(cases)("%s %s use %s", async (role, expected, name) => {
  const { status, text, route, added, hasChanged } = await ask(name, role);
  const isRefused = text.includes('"permission.denied"');
  expect({ isRefused, isForbidden: status === 403 }).toEqual(
    expected === "may" ? { isRefused: false, isForbidden: false } : { isRefused: true, isForbidden: true },
  );
  if (expected === "may") return;
  const action = route.action ?? "data.read";
  expect(added).toMatchObject([{ action, outcome: "refused", operator: "li" }]);
  expect(hasChanged.now).toEqual(hasChanged.accounts);
});

describe("an admin of one app", () => {
  it.each(guarded.map(({ name }) => [OF_EVERY_APP.includes(name) ? "must not" : "may", name] as const))(
    "%s use %s",
    async (expected, name) => {
      const { text } = await ask(name, "admin", ["app_1"]);
      expect(text.includes('"permission.denied"')).toBe(expected === "must not");
    },
  );
});
