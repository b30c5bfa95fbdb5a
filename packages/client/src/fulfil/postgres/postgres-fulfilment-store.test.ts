import { createDatabase } from "@tillkit/local-postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { fulfilmentStoreContract } from "../contract/index.js";
import { fulfilmentTableSql } from "./fulfilment-table.js";
import { postgresFulfilmentStore } from "./postgres-fulfilment-store.js";

// A host may replace the parsers of the driver. Every test runs with parsers that return a wrong
// value.
for (const oid of Object.values(pg.types.builtins))
  pg.types.setTypeParser(oid, () => "a value that the host has parsed");

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
  postgresFulfilmentStore({ pool, effects: "transactional", table: await openTable() }),
);

it("needs no right to create the table if it exists, so a host may run the SQL at each start", async () => {
  const table = await openTable();
  const role = `shop_host_${table}`;
  const client = await pool.connect();
  try {
    await client.query(`begin; create role ${role}; set local role ${role}`);
    await client.query(fulfilmentTableSql(table));
    await expect(client.query(fulfilmentTableSql("another"))).rejects.toThrow("permission denied");
  } finally {
    await client.query("rollback");
    client.release();
  }
});

const AT = Date.UTC(2026, 0, 15);
const PURCHASE = { bizNo: "buy-1", customerIdentity: "user-1", amount: 600, data: "month" };
const CLAIM = { id: "claim", to: "GRANTING", now: AT, until: AT + 1_000 } as const;
const GRANTED = { claimId: "claim", to: "GRANTED", now: AT } as const;

it("rolls the effect back if it rejects, and commits it with the outcome", async () => {
  const table = await openTable();
  await pool.query(`create table ${table}_granted (biz_no text)`);
  const store = postgresFulfilmentStore({ pool, effects: "transactional", table });
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

it.each([
  { effects: "transactional", mayBeGranted: false },
  { effects: "external", mayBeGranted: true },
] as const)(
  "says of a grant that died whether it may have happened: %o",
  async ({ effects, mayBeGranted }) => {
    const store = postgresFulfilmentStore({ pool, effects, table: await openTable() });
    await store.insertOnce(PURCHASE, AT, undefined);
    await store.claim("buy-1", CLAIM);
    const revoke = { id: "revoke", to: "REVOKING", now: AT + 1_000, until: AT + 2_000 } as const;
    expect(await store.claim("buy-1", revoke)).toMatchObject({ mayBeGranted });
  },
);

it("does not mark a refunded purchase with external effects as granted", async () => {
  const store = postgresFulfilmentStore({ pool, effects: "external", table: await openTable() });
  await store.insertOnce(PURCHASE, AT, undefined);
  expect(await store.claim("buy-1", { ...CLAIM, to: "REVOKING" })).toMatchObject({ mayBeGranted: false });
});

it("does not let others take over an expired claim while its effect runs, and does not block them", async () => {
  const store = postgresFulfilmentStore({ pool, effects: "transactional", table: await openTable() });
  await store.insertOnce(PURCHASE, AT, undefined);
  await store.claim("buy-1", CLAIM);
  const late = { id: "other", now: AT + 1_000, until: AT + 2_000 };
  const done = await store.complete("buy-1", GRANTED, async () => {
    expect(await store.claim("buy-1", { ...late, to: "GRANTING" })).toBeUndefined();
    expect(await store.claim("buy-1", { ...late, to: "REVOKING" })).toBeUndefined();
  });
  expect(done).toBe(true);
});

it("survives the loss of the connection, and rejects with the error of the effect", async () => {
  const store = postgresFulfilmentStore({ pool, effects: "transactional", table: await openTable() });
  await store.insertOnce(PURCHASE, AT, undefined);
  await store.claim("buy-1", CLAIM);
  const failing = store.complete("buy-1", GRANTED, async (tx) => {
    await tx.query("set application_name = 'doomed'");
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doomed' and datname = current_database()",
    );
    const state = () =>
      tx.query("select 1").then(
        () => "connected",
        () => "lost",
      );
    await expect.poll(state).toBe("lost");
    throw new Error("no effect");
  });
  await expect(failing).rejects.toThrow("no effect");
  expect(await store.complete("buy-1", GRANTED, async () => undefined)).toBe(true);
});

it("survives the loss of an idle connection, with one listener for all tables", async () => {
  const lost = new pg.Pool({ ...pool.options, max: 1, application_name: "idle" });
  const [store] = await Promise.all(
    [1, 2].map(async () =>
      postgresFulfilmentStore({ pool: lost, effects: "transactional", table: await openTable() }),
    ),
  );
  expect(lost.listenerCount("error")).toBe(1);
  expect(await store?.find("buy-1")).toBeUndefined();
  expect(lost.idleCount).toBe(1);
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle' and datname = current_database()",
  );
  await expect.poll(() => lost.totalCount).toBe(0);
  expect(await store?.find("buy-1")).toBeUndefined();
  await lost.end();
});

it("returns the connection to the pool as it was", async () => {
  const single = new pg.Pool({ ...pool.options, max: 1 });
  const state = async () => {
    const connection = await single.connect();
    const listeners = connection.listenerCount("error");
    const { rows } = await connection.query("select pg_backend_pid() as backend");
    connection.release();
    return { listeners, rows };
  };
  const before = await state();
  const table = await openTable();
  const store = postgresFulfilmentStore({ pool: single, effects: "transactional", table });
  await store.insertOnce(PURCHASE, AT, undefined);
  await store.claim("buy-1", CLAIM);
  const failing = store.complete("buy-1", GRANTED, () => Promise.reject(new Error("no effect")));
  await expect(failing).rejects.toThrow("no effect");
  expect(await state()).toEqual(before);
  expect(await store.complete("buy-1", GRANTED, async () => undefined)).toBe(true);
  expect(await state()).toEqual(before);
  await single.end();
});

it.each(["", "a b", 'a"b', "a.b.c", "1a", "a;drop table b", "x".repeat(51)])(
  "refuses the table %j",
  (table) => {
    expect(() => postgresFulfilmentStore({ pool, effects: "transactional", table })).toThrow(RangeError);
    expect(() => fulfilmentTableSql(table)).toThrow(RangeError);
  },
);

it("creates its table twice without an error, also in a schema", async () => {
  await pool.query("create schema shop");
  await pool.query(fulfilmentTableSql("shop.purchases"));
  await pool.query(fulfilmentTableSql("shop.purchases"));
  const store = postgresFulfilmentStore({ pool, effects: "transactional", table: "shop.purchases" });
  expect(await store.insertOnce(PURCHASE, AT, undefined)).toMatchObject({ status: "REGISTERED" });
});
