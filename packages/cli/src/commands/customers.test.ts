import { readFile, stat } from "node:fs/promises";
import { anEntry, anOrder, aPayment, expectOk } from "@tillkit/contract-tests";
import { postgresStores } from "@tillkit/postgres";
import { nodeDigest, readKeyring } from "@tillkit/runtime";
import { expect, it } from "vitest";
import { type Place, sharedHost } from "../testing/cli.js";
import { newApp } from "../testing/fixture.js";

const shared = sharedHost();
const PHONE = "13800138000";
const MARKS = ["Li Lei", "MARK-attach", "MARK-reason"];

/** Creates an app with a customer who logged in by phone and paid an order. */
async function aCustomer(place: Place) {
  const app = await newApp(place.ask);
  const keys = await expectOk(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const { sql, schema } = place;
  const stores = postgresStores({ sql, schema, credentialKeys: keys.credentialKeys });
  const hashes = nodeDigest({ peppers: keys.peppers }).keyed(`phone\n${app}\n+86${PHONE}`);
  await expectOk(stores.sessions.identify(app, hashes, `cus_${app}`, 1));
  const texts = { customerName: "Li Lei", attachData: "MARK-attach" };
  const customer = { appId: app, customerIdentity: `cus_${app}` };
  const order = await expectOk(stores.orders.insertOnce(anOrder({ ...customer, ...texts }), anEntry()));
  const entry = anEntry({ type: "PAID", actor: "operator:kim", reason: "MARK-reason" });
  await expectOk(stores.orders.transition(order, aPayment({ entry })));
  const open = await expectOk(stores.orders.insertOnce(anOrder({ ...customer, ...texts }), anEntry()));
  return { app, stores, order, open, hash: hashes[0] };
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

it("names a wrong command line", async () => {
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
