import {
  anEntry,
  anOrder,
  codeStoreContract,
  customerDataStoreContract,
  manyCases,
  misconfiguredStorageContract,
  orderStoreContract,
  quotaStoreContract,
  serviceStoreContract,
  sessionStoreContract,
  storesContract,
  unreadableRowsContract,
} from "@tillkit/contract-tests";
import { orThrow } from "@tillkit/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOf, embeddedClient, openStoreOf, type TestSchema, testSchema } from "../testing/databases.js";

let database: TestSchema;
beforeAll(async () => {
  const owner = await embeddedClient();
  await owner.script("create role tillkit_app");
  database = await testSchema(owner, { role: "tillkit_app", sql: clientOf("tillkit_app", owner) });
});
afterAll(() => database.close());

const open = openStoreOf(() => database);

// PGlite is slow, and runs the same statements as the server. By default, suites run that cover
// each kind of statement. With `TEST_CASES=many`, all suites run.
if (manyCases()) storesContract("PGlite", () => database.open());
else {
  orderStoreContract("PGlite", () => database.open());
  serviceStoreContract("PGlite", () => database.open());
  codeStoreContract("PGlite", open("codes"));
  sessionStoreContract("PGlite", open("sessions"));
  customerDataStoreContract("PGlite", () => database.open());
  quotaStoreContract("PGlite", open("quotas"));
}
unreadableRowsContract("PGlite", () => database.open());
misconfiguredStorageContract("PGlite", () => database.open());

it("a batch on PGlite fails only the call whose values the database rejects", async () => {
  const opened = await database.open();
  const [first, refused, last] = [anOrder(), anOrder({ goodsTitle: "nul \u0000" }), anOrder()];
  const stored = [first, refused, last].map((order) => opened.port.orders.insertOnce(order, anEntry()));
  const answers = (await Promise.all(stored)).map((answer) =>
    answer.map(({ bizNo }) => bizNo).unwrapOr("refused"),
  );
  expect(answers).toEqual([first.bizNo, "refused", last.bizNo]);
  await opened.close();
});

it("PGlite stores the longest numbers and identities that a policy may allow", async () => {
  // The characters have four bytes each, and the text does not compress.
  const text = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x2_0000 + Math.floor(Math.random() * 40_000))).join(
      "",
    );
  const opened = await database.open();
  const order = anOrder({ appId: "a".repeat(64), bizNo: text(255), customerIdentity: text(255) });
  const stored = await orThrow(opened.port.orders.insertOnce(order, anEntry()));
  expect(stored).toMatchObject({ bizNo: order.bizNo, customerIdentity: order.customerIdentity });
  await opened.close();
});
