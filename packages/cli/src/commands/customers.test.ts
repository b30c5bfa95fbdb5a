import { readFile, stat } from "node:fs/promises";
import { anEntry, anOrder, aPayment, aSession, expectOk } from "@tillkit/contract-tests";
import { postgresStores } from "@tillkit/postgres";
import { nodeDigest, readKeyring } from "@tillkit/runtime";
import { expect, it } from "vitest";
import { z } from "zod";
import { type Place, sharedHost } from "../testing/cli.js";
import { newApp } from "../testing/fixture.js";

const shared = sharedHost();
const PHONE = "13800138000";
const listedSessions = z.object({
  sessions: z.array(z.object({ id: z.string(), label: z.string() })),
});
const MARKS = ["Li Lei", "MARK-attach", "MARK-reason"];

/** Creates an app with a customer who logged in by phone and paid an order. */
async function aCustomer(place: Place) {
  const app = await newApp(place.ask);
  const keys = await expectOk(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const { sql, schema } = place;
  const stores = postgresStores({ sql, schema, credentialKeys: keys.credentialKeys });
  const digest = nodeDigest({ peppers: keys.peppers });
  const hashes = (phone: string) => digest.keyed(`phone\n${app}\n+86${phone}`);
  await expectOk(stores.sessions.identify(app, hashes(PHONE), `cus_${app}`, 1));
  const texts = { customerName: "Li Lei", attachData: "MARK-attach" };
  const customer = { appId: app, customerIdentity: `cus_${app}` };
  const order = await expectOk(stores.orders.insertOnce(anOrder({ ...customer, ...texts }), anEntry()));
  const entry = anEntry({ type: "PAID", actor: "operator:kim", reason: "MARK-reason" });
  await expectOk(stores.orders.transition(order, aPayment({ entry })));
  const open = await expectOk(stores.orders.insertOnce(anOrder({ ...customer, ...texts }), anEntry()));
  return { app, stores, order, open, hashes, hash: hashes(PHONE)[0] };
}

it("exports, previews, erases, lists and erases again", async () => {
  const place = shared();
  const { app, order, open, stores, hash } = await aCustomer(place);
  const file = `${place.folder}/${app}.json`;
  const who = ["--app", app, "--phone", "-"];
  const input = `${PHONE}\n`;
  await place.ask(["customers", "export", file, ...who], { input });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const exported = await readFile(file, "utf8");
  for (const mark of [...MARKS, order.bizNo]) expect(exported).toContain(mark);
  expect(exported).not.toContain(hash);

  const preview = await place.tillkit(["customers", "erase", ...who], { input });
  expect(preview.code).toBe(0);
  expect(preview.stdout).toContain("Nothing was erased. Set --confirm to erase:");
  expect(await expectOk(stores.orders.find(order))).toMatchObject({ customerName: "Li Lei" });
  expect(await place.ask(["customers", "erased", ...who], { input, code: 1 })).toEqual({ erasures: [] });

  const by = ["--operator", "kim", "--reason", "request 42"];
  const erased = await place.tillkit(["customers", "erase", ...who, ...by, "--confirm"], { input });
  expect(erased.code).toBe(1);
  expect(erased.stdout).toContain(`${open.bizNo}: a payment is open`);
  expect(erased.stdout + erased.stderr).not.toMatch(/Li Lei|MARK|13800138000/);
  expect(await expectOk(stores.orders.find(order))).not.toHaveProperty("customerName");

  const list = await place.ask(["customers", "erased", ...who], { input });
  expect(list).toMatchObject({ erasures: [{ customerIdentity: `cus_${app}`, operator: "kim" }] });
  await expectOk(stores.orders.transition(open, aPayment()));
  const saved = await place.file(`${app}-erased.json`, JSON.stringify(list));
  expect(await place.ask(["customers", "erase-again", saved, ...by])).toEqual({ customers: 1, inFlight: [] });
  expect(await expectOk(stores.orders.find(open))).not.toHaveProperty("attachData");
});

it("prints what is wrong with a command line", async () => {
  const { tillkit, file } = shared();
  const erase = ["customers", "erase", "--app", "app_1"];
  expect(await tillkit(erase)).toMatchObject({ code: 2, stderr: "Set either --phone or --identity.\n" });
  expect(await tillkit([...erase, "--phone", "1", "--identity", "2"])).toMatchObject({ code: 2 });
  expect(await tillkit([...erase, "--phone", "12"])).toMatchObject({ code: 2 });
  for (const text of ["{", '{"erasures":[{}]}'])
    expect(await tillkit(["customers", "erase-again", await file("list.json", text)])).toMatchObject({
      code: 2,
    });
});

it("lists and ends sessions of a customer by phone number and by id", async () => {
  const place = shared();
  const { app, stores } = await aCustomer(place);
  const customerId = `cus_${app}`;
  const session = aSession({ appId: app, customerId, gmtCreate: Date.now() - 1_000 });
  const expiresAt = Date.now() + 3_600_000;
  for (const [hash, label] of [
    ["a", "Phone of Li"],
    ["b", "Tablet"],
  ] as const)
    await expectOk(stores.sessions.open({ ...session, expiresAt, tokenHash: hash.repeat(64), label }, 5));
  const who = ["--app", app, "--phone", "-"];
  const input = `${PHONE}\n`;
  const listed = listedSessions.parse(await place.ask(["sessions", "list", ...who], { input }));
  expect(listed.sessions.map(({ label }) => label).toSorted()).toEqual(["Phone of Li", "Tablet"]);
  expect(JSON.stringify(listed)).not.toMatch(/a{64}|b{64}|tokenHash/);
  const by = ["--operator", "kim", "--reason", "stolen"];
  const id = listed.sessions.find(({ label }) => label === "Tablet")?.id ?? "";
  const revoke = ["sessions", "revoke", "--app", app, "--identity", customerId, ...by];
  expect(await place.ask([...revoke, "--session", id])).toEqual({ sessions: 1 });
  expect(await place.ask([...revoke, "--session", id], { code: 1 })).toEqual({ sessions: 0 });
  const left = await expectOk(stores.sessions.list(app, customerId));
  expect(left.map(({ label }) => label)).toEqual(["Phone of Li"]);
  expect(await place.ask(["sessions", "revoke", ...who, "--all", ...by], { input })).toEqual({ sessions: 1 });
  expect(await place.tillkit(revoke)).toMatchObject({ code: 2, stderr: "Set either --session or --all.\n" });
  expect(await place.tillkit([...revoke, "--all", "--session", id])).toMatchObject({ code: 2 });
});

it("moves, merges and detaches phone numbers", async () => {
  const place = shared();
  const { app, stores, hashes } = await aCustomer(place);
  const customerId = `cus_${app}`;
  const opened = aSession({ appId: app, customerId });
  const by = ["--operator", "kim", "--reason", "new number"];
  const ownerOf = async (phone: string) =>
    (await expectOk(stores.sessions.findPhones(app, hashes(phone))))[0]?.customerId;
  const [next, second] = ["13900139000", "13700137000"];
  await expectOk(stores.sessions.open(opened, 5));
  const move = ["customers", "move", "--app", app, "--from", PHONE, "--to"];
  expect(await place.ask([...move, next, ...by])).toEqual({ customerId, sessions: 1 });
  expect([await ownerOf(PHONE), await ownerOf(next)]).toEqual([undefined, customerId]);
  const unassigned = await place.ask([...move, next, ...by], { code: 1 });
  expect(unassigned).toMatchObject({ error: { name: "number.unassigned" } });

  await expectOk(stores.sessions.identify(app, hashes(second), "cus_second", 1));
  const taken = ["customers", "move", "--app", app, "--from", second, "--to", next, ...by];
  expect(await place.ask(taken, { code: 1 })).toMatchObject({ error: { name: "number.taken" } });
  const same = ["customers", "move", "--app", app, "--from", second, "--to", second, ...by];
  expect(await place.ask(same, { code: 1 })).toMatchObject({ error: { name: "number.taken" } });
  const merge = ["customers", "merge", "--app", app, "--into", customerId, "--from"];
  expect(await place.ask([...merge, "cus_second", ...by])).toEqual({ customerId: "cus_second", sessions: 0 });
  expect(await ownerOf(second)).toBe(customerId);
  for (const from of ["cus_second", customerId])
    expect(await place.ask([...merge, from, ...by], { code: 1 })).toMatchObject({
      error: { name: "customer.without-number" },
    });

  const detach = ["customers", "detach", "--app", app, "--phone", "-", ...by];
  expect(await place.ask(detach, { input: second })).toEqual({ customerId, sessions: 0 });
  expect([await ownerOf(second), await ownerOf(next)]).toEqual([undefined, customerId]);
  const entries = await expectOk(stores.auditLog.search({ apps: [app], limit: 20 }));
  const changes = entries.items.map(({ action, outcome, subject, detail }) => [
    action,
    outcome,
    subject,
    detail,
  ]);
  expect(changes).toContainEqual([
    "customer.merge",
    "done",
    `customer:${app}/cus_second`,
    `{"into":"${customerId}","before":{"sessions":0}}`,
  ]);
  expect(changes.filter(([action]) => action?.startsWith("customer."))).toHaveLength(3);
  for (const phone of [PHONE, next, second]) expect(JSON.stringify(entries.items)).not.toContain(phone);
});
