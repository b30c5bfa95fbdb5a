import { anEntry, anOrder, aPayment, expectOk, FIXTURE_TIME, MINUTE } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { untilLockWaiters, withBlockedStatement } from "../testing/blocked-statement.js";
import { KEY, serverSchema } from "../testing/databases.js";
import { reportingDeadlocks } from "../testing/reporting-deadlocks.js";

it("removeHandler removes a handler while a worker claims its deliveries, without a deadlock", async () => {
  const { sql, schema } = await serverSchema();
  const deadlocks: string[] = [];
  const client = reportingDeadlocks(sql, (statement) => deadlocks.push(statement));
  const { orders, eventDeliveries } = postgresStores({ sql: client, schema, credentialKeys: [KEY] });
  await expectOk(eventDeliveries.registerHandler("mailer", FIXTURE_TIME));
  // The rows are stored in the opposite order of their keys.
  for (const bizNo of ["c", "b", "a"]) {
    const order = await expectOk(orders.insertOnce(anOrder({ bizNo }), anEntry()));
    await expectOk(orders.transition(order, aPayment()));
  }
  const table = tablesOf(schema).event_deliveries;
  let removal: Promise<boolean> | undefined;
  // The claim has locked `a` and waits before it writes `b`.
  const claimed = await withBlockedStatement(
    sql,
    { schema, table, column: "biz_no", value: "b" },
    () =>
      expectOk(
        eventDeliveries.claimDue("mailer", {
          id: "claim",
          now: FIXTURE_TIME + MINUTE,
          lease: MINUTE,
          limit: 3,
        }),
      ),
    async () => {
      removal = expectOk(eventDeliveries.removeHandler("mailer"));
      await untilLockWaiters(sql, table, 2);
    },
  );
  expect(claimed).toHaveLength(3);
  expect(await removal).toBe(true);
  expect(deadlocks).toEqual([]);
});

it("removeHandler removes any number of deliveries, and only those of the handler", async () => {
  const { sql, schema } = await serverSchema();
  const { eventDeliveries } = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const table = tablesOf(schema).event_deliveries;
  for (const name of ["ledger", "mailer", "sender"])
    await expectOk(eventDeliveries.registerHandler(name, FIXTURE_TIME));
  await sql.script(
    `insert into ${table} (biz_no, app_id, handler, next_seq, next_index, last_seq, last_ms, due_ms, tries)
     select 'b-' || n / 2, 'app_' || n % 2, handler, 2, 0, 2, 1, 1, 0
     from generate_series(1, 2500) n cross join unnest(array['ledger', 'mailer', 'sender']) handler`,
  );
  expect(await expectOk(eventDeliveries.removeHandler("mailer"))).toBe(true);
  const count = statement("test_left", `select handler, count(*)::int from ${table} group by 1 order by 1`);
  expect(await sql.query(count, [])).toEqual([
    { handler: "ledger", count: 2_500 },
    { handler: "sender", count: 2_500 },
  ]);
});
