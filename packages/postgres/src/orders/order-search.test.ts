import { anEntry, anOrder, expectOk, FIXTURE_TIME } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { EXAMINED_ROWS } from "../sql/bounded-list.js";
import { orderColumns } from "./order-row.js";
import { postgresStores } from "../stores/postgres-stores.js";
import { tablesOf } from "../sql/tables.js";
import { KEY, serverSchema } from "../testing/databases.js";

it("an order search examines a limited number of orders, and continues after them on the next page", async () => {
  const { sql, schema } = await serverSchema();
  const { orders, orderSearch } = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const rare = await expectOk(orders.insertOnce(anOrder({ payChannel: "WALLET_B" }), anEntry()));
  const common = await expectOk(orders.insertOnce(anOrder({ gmtCreate: FIXTURE_TIME + 1 }), anEntry()));
  const table = tablesOf(schema).orders;
  const copied = orderColumns("o").replace("o.biz_no", "'copy-' || n").replace("o.id", "'copy-' || n");
  // Together with the copied order, these are as many orders as one page examines.
  await sql.script(
    `insert into ${table} (${orderColumns()}, timeline_seq, timeline_hash)
     select ${copied}, 1, '' from ${table} o, generate_series(2, ${EXAMINED_ROWS}) n where o.id = '${common.id}';
     analyze ${table};`,
  );
  const filter = { payChannel: "WALLET_B" } as const;
  const first = await expectOk(orderSearch.list({ ...filter, limit: 10 }));
  expect(first.items).toEqual([]);
  expect(first.next?.gmtCreate).toBe(common.gmtCreate);
  const second = await expectOk(orderSearch.list({ ...filter, before: first.next, limit: 10 }));
  expect(second).toEqual({ items: [{ order: rare, hasAlarm: false }] });
  expect(await expectOk(orderSearch.count(filter, 10))).toEqual({ count: 0, isLeast: true });
  expect(await expectOk(orderSearch.count({ ...filter, until: FIXTURE_TIME + 1 }, 10))).toEqual({
    count: 1,
    isLeast: false,
  });
});
