import { anEntry, anOrder, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { KEY, serverSchema } from "../testing/databases.js";

it("a list on a cluster finds orders whose numbers have the characters of an array literal", async () => {
  const { sql, schema } = await serverSchema();
  const { orders } = postgresStores({ sql, schema, credentialKeys: [KEY], distributed: true });
  const bizNos = ['a"b', "a\\b", "a,b", "{a}", "NULL", " a ", "a''b", '\\"'];
  for (const bizNo of bizNos) await expectOk(orders.insertOnce(anOrder({ bizNo }), anEntry()));
  const { appId, customerIdentity } = anOrder();
  const page = await expectOk(orders.list({ appId, customerIdentity, offset: 0, limit: 20 }));
  expect(page.items.map(({ bizNo }) => bizNo).toSorted()).toEqual(bizNos.toSorted());
  expect(page.totalCount).toBe(bizNos.length);
});

it("a list on a cluster returns the count of all orders also on a page past the end", async () => {
  const { sql, schema } = await serverSchema();
  const { orders } = postgresStores({ sql, schema, credentialKeys: [KEY], distributed: true });
  const order = await expectOk(orders.insertOnce(anOrder(), anEntry()));
  const { appId, customerIdentity } = order;
  const page = await expectOk(orders.list({ appId, customerIdentity, offset: 5, limit: 20 }));
  expect(page).toEqual({ items: [], totalCount: 1 });
});
