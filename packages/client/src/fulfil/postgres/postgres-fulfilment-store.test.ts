import { createDatabase } from "@tillkit/local-postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { fulfilmentStoreContract } from "../contract/index.js";
import { fulfilmentTableSql } from "./fulfilment-table.js";
import { postgresFulfilmentStore } from "./postgres-fulfilment-store.js";

let pool: pg.Pool;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await createDatabase(inject("databaseUrl")), max: 10 });
});
afterAll(() => pool.end());

let tables = 0;
async function openTable(): Promise<string> {
  tables += 1;
  const table = `purchases_${String(tables)}`;
  await pool.query(fulfilmentTableSql(table));
  return table;
}

fulfilmentStoreContract("PostgreSQL", async () =>
  postgresFulfilmentStore({ pool, table: await openTable() }),
);

const AT = Date.UTC(2026, 0, 15);
const PURCHASE = { bizNo: "buy-1", customerIdentity: "user-1", amount: 600, data: "month" };
const CLAIM = { id: "claim", to: "GRANTING", now: AT, until: AT + 1_000 } as const;
const GRANTED = { claimId: "claim", to: "GRANTED", now: AT } as const;

it("rolls the effect back if it rejects, and commits it with the outcome", async () => {
  const table = await openTable();
  await pool.query(`create table ${table}_granted (biz_no text)`);
  const store = postgresFulfilmentStore({ pool, table });
  await store.insertOnce(PURCHASE, AT, undefined);
  await store.claim("buy-1", CLAIM);
  const insert = `insert into ${table}_granted values ($1)`;
  const failing = store.complete("buy-1", GRANTED, async (tx) => {
    await tx.query(insert, ["buy-1"]);
    throw new Error("no effect");
  });
  await expect(failing).rejects.toThrow("no effect");
  const count = async () => (await pool.query(`select from ${table}_granted`)).rowCount;
  expect(await count()).toBe(0);
  await store.complete("buy-1", GRANTED, async (tx) => {
    await tx.query(insert, ["buy-1"]);
  });
  expect(await count()).toBe(1);
});

it("does not say that a purchase may be granted while the grant is not committed", async () => {
  const store = postgresFulfilmentStore({ pool, table: await openTable() });
  await store.insertOnce(PURCHASE, AT, undefined);
  expect(await store.claim("buy-1", CLAIM)).toMatchObject({ mayBeGranted: false });
});

it("keeps an expired claim from others while its effect runs", async () => {
  const store = postgresFulfilmentStore({ pool, table: await openTable() });
  await store.insertOnce(PURCHASE, AT, undefined);
  await store.claim("buy-1", CLAIM);
  let takenOver: Promise<unknown> = Promise.resolve();
  const done = await store.complete("buy-1", GRANTED, async (tx) => {
    takenOver = store.claim("buy-1", { ...CLAIM, id: "other", now: AT + 1_000 });
    // The other process waits for the lock. This statement proves that it has reached the server.
    const waiting =
      "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await tx.query(waiting)).rows).toEqual([{ n: 1 }]);
  });
  expect([done, await takenOver]).toEqual([true, undefined]);
});

it.each(["", "a b", 'a"b', "a.b.c", "1a", "a;drop table b", "x".repeat(51)])(
  "refuses the table %j",
  (table) => {
    expect(() => postgresFulfilmentStore({ pool, table })).toThrow(RangeError);
    expect(() => fulfilmentTableSql(table)).toThrow(RangeError);
  },
);

it("creates its table twice without an error, also in a schema", async () => {
  await pool.query("create schema shop");
  await pool.query(fulfilmentTableSql("shop.purchases"));
  await pool.query(fulfilmentTableSql("shop.purchases"));
  const store = postgresFulfilmentStore({ pool, table: "shop.purchases" });
  expect(await store.insertOnce(PURCHASE, AT, undefined)).toMatchObject({ status: "REGISTERED" });
});
