import { expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";
import { anApp } from "./testing/paid-orders.js";

async function aTeam() {
  const { ports, create, signIn } = openDashboard();
  await create("root", "admin");
  const [appId, other] = [await anApp(ports), await anApp(ports, "Other")];
  await create("mine", "admin", [other]);
  return { ports, appId, other, root: await signIn("root"), mine: await signIn("mine") };
}

it("a service type with an existing number is refused, unless all its values are equal", async () => {
  const { ports, appId, root } = await aTeam();
  const type = { appId, serviceTypeNo: "svt_month", serviceName: "Month", durationMs: 1_000, reason: "new" };
  const create = (changes = {}) => root.post("/api/setup/service-types", { ...type, ...changes });
  const first = await create();
  expect((await create()).json).toEqual(first.json);
  for (const changes of [{ durationMs: 2_000 }, { serviceName: "Year" }])
    expect(await create(changes)).toMatchObject({
      status: 409,
      json: { error: { name: "service-type.exists" } },
    });
  expect(await expectOk(ports.serviceTypes.list(appId))).toEqual([first.json]);
  await root.post(`/api/apps/${appId}/service-types/svt_month/retire`, { reason: "test" });
  expect(await create()).toMatchObject({ status: 409, json: { error: { name: "service-type.exists" } } });
});

it("a downloads client with an existing id is refused, unless all its values are equal", async () => {
  const { ports, appId, other, root, mine } = await aTeam();
  const client = { appId, clientId: "reports-of-notes", dailyLimit: 10, reason: "new" };
  const first = await root.post("/api/setup/downloads-clients", client);
  expect((await root.post("/api/setup/downloads-clients", client)).json).toEqual(first.json);
  const exists = { status: 409, json: { error: { name: "downloads-client.exists" } } };
  const changed = { ...client, dailyLimit: 11 };
  expect(await root.post("/api/setup/downloads-clients", changed)).toMatchObject(exists);
  // The answer does not show an operator of other apps which app has the client.
  const foreign = { ...client, appId: other };
  const refused = await mine.post("/api/setup/downloads-clients", foreign);
  expect(refused).toMatchObject(exists);
  expect(JSON.stringify(refused.json)).not.toContain(appId);
  expect(await expectOk(ports.downloadsClients.list())).toEqual([first.json]);
});

it("an operator with an existing name is refused", async () => {
  const { root } = await aTeam();
  const body = { name: "mine", role: "viewer", reason: "new" };
  expect(await root.post("/api/operators", body)).toMatchObject({
    status: 409,
    json: { error: { name: "operator.exists" } },
  });
});
