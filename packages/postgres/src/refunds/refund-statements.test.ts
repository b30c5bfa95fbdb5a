import { anEntry, anOrder, aPayment, aRefund, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { KEY, serverClient, serverSchema } from "../testing/databases.js";

it("lets the second of two concurrent requests see the first", async () => {
  const { sql, schema } = await serverSchema();
  const { orders, refunds } = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const order = anOrder();
  await expectOk(orders.insertOnce(order, anEntry()));
  await expectOk(orders.transition(order, aPayment()));
  const request = (refundNo: string) =>
    expectOk(refunds.request(aRefund({ bizNo: order.bizNo, refundNo, amount: 100 }), anEntry()));

  const holder = serverClient({ max: 1 });
  const lock = statement(
    "test_lock_order",
    `select id from ${tablesOf(schema).orders} where biz_no = $1 for update`,
  );
  const waiting = statement(
    "test_waiting",
    `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
  );
  const both = await holder.transaction(async (queries) => {
    await queries.query(lock, [order.bizNo]);
    const requests = [request("r-1"), request("r-2")];
    await expect.poll(() => sql.query(waiting, [`${quoted(schema)}.`])).toEqual([{ waiting: 2 }]);
    return { requests };
  });
  const answers = await Promise.all(both.requests);
  expect(answers.map(({ kind }) => kind).toSorted()).toEqual(["in-progress", "requested"]);
  await holder.close();
});
