import { randomBytes } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { anEntry, anOrder, expectOk } from "@tillkit/contract-tests";
import { migrate, pgClient, postgresOrderStore, sampleOrders, type SqlClient } from "@tillkit/postgres";
import { pgliteClient } from "@tillkit/postgres/pglite";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { orderProblems } from "./order-problems.js";

/** Opens an empty schema, on the server or in this process. */
async function aSchema(storage: "PostgreSQL" | "PGlite") {
  const schema = `sample_${randomBytes(6).toString("hex")}`;
  const sql: SqlClient =
    storage === "PGlite"
      ? pgliteClient(await PGlite.create())
      : pgClient(new pg.Pool({ connectionString: inject("databaseUrl"), max: 2 }));
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${schema} cascade`);
    await sql.close();
  });
  await expectOk(migrate({ sql, schema }));
  const orders = postgresOrderStore(sql, schema);
  const add = async (bizNo: string, gmtCreate: number) => {
    const order = anOrder({ id: `id-${bizNo}`, bizNo, gmtCreate });
    const details = JSON.stringify({ amount: order.amount });
    await expectOk(orders.insertOnce(order, { ...anEntry(), at: gmtCreate, details }));
  };
  return { sql, schema, add };
}

describe.each(["PostgreSQL", "PGlite"] as const)("a sample of the orders on %s", (storage) => {
  it("finds an order whose row contradicts its timeline, and reports how many were compared", async () => {
    const { sql, schema, add } = await aSchema(storage);
    expect(await orderProblems({ sql, schema })).toEqual({ findings: [], compared: 0, skipped: [] });
    for (const nth of [1, 2, 3]) await add(`b-${nth}`, nth);
    expect(await orderProblems({ sql, schema })).toEqual({ findings: [], compared: 3, skipped: [] });
    await sql.script(`update ${schema}.orders set payment_status = 'PAID' where biz_no = 'b-2'`);
    const { findings, compared } = await orderProblems({ sql, schema });
    expect(compared).toBe(3);
    expect(findings).toMatchObject([
      {
        kind: "damaged-order",
        subject: "app_1 b-2",
      },
    ]);
    const [{ message, fix } = { message: "", fix: "" }] = findings;
    expect(message).toContain("the status is PAID, but the timeline proves PENDING");
    expect(fix).toContain("tillkit orders explain");
  });

  it("contains the newest orders, and a limited number of orders from the whole time", async () => {
    const { sql, schema, add } = await aSchema(storage);
    for (let nth = 1; nth <= 60; nth += 1) await add(`b-${nth}`, nth * 1_000);
    const keys = await expectOk(sampleOrders(sql, schema, { newest: 5, spread: 20 }));
    const numbers = keys.map(({ bizNo }) => Number(bizNo.slice(2))).sort((left, right) => left - right);
    expect(numbers.slice(-5)).toEqual([56, 57, 58, 59, 60]);
    expect(numbers[0]).toBe(1);
    expect(numbers).toContain(31);
    expect(numbers).toHaveLength(25);
  });
});
