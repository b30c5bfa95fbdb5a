import { anEntry, anOrder, expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inSnapshot } from "./in-snapshot.js";
import { migrate } from "../admin/migrate.js";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { quoted } from "../sql/tables.js";
import { embeddedClient, freshSchema, KEY, serverClient } from "../testing/databases.js";

describe.each([
  ["PostgreSQL", () => Promise.resolve(serverClient())],
  ["PGlite", embeddedClient],
] as const)("inSnapshot: %s", (name, open) => {
  const schema = freshSchema();
  let sql: SqlClient;
  beforeAll(async () => {
    sql = await open();
    await expectOk(migrate({ sql, schema }));
  });
  afterAll(async () => {
    await sql.script(`drop schema ${quoted(schema)} cascade`);
    await sql.close();
  });

  const storesOn = (client: SqlClient) => postgresStores({ sql: client, schema, credentialKeys: [KEY] });

  it("reads each order once, as it was at the start, while others write", async () => {
    const { orders } = storesOn(sql);
    const before = ["b", "d", "f"].map((bizNo) => anOrder({ bizNo }));
    for (const order of before) await expectOk(orders.insertOnce(order, anEntry()));
    const read: string[] = [];
    let writing: Promise<unknown> = Promise.resolve();
    await inSnapshot(sql, async (snapshot) => {
      const stores = storesOn(snapshot);
      let after = (await expectOk(stores.orders.listAll({ limit: 1 }))).at(0);
      // PGlite runs the writer after the snapshot, and PostgreSQL at the same time.
      writing = Promise.all(
        ["a", "c", "z"].map((bizNo) => expectOk(orders.insertOnce(anOrder({ bizNo }), anEntry()))),
      );
      if (name === "PostgreSQL") await writing;
      while (after !== undefined) {
        read.push(after.bizNo);
        after = (await expectOk(stores.orders.listAll({ after, limit: 1 }))).at(0);
      }
    });
    await writing;
    expect(read).toEqual(["b", "d", "f"]);
    expect(await expectOk(orders.listAll({ limit: 10 }))).toHaveLength(6);
  });

  it("writes nothing, and ends with its work", async () => {
    const stores = storesOn(sql);
    const written = inSnapshot(sql, (snapshot) =>
      Promise.resolve(storesOn(snapshot).orders.insertOnce(anOrder({ bizNo: "x" }), anEntry())),
    );
    // PGlite cannot commit a transaction in which a statement failed.
    const isRefused = written.then(
      (result) => result.isErr(),
      () => true,
    );
    expect(await isRefused).toBe(true);
    const failing = inSnapshot(sql, () => Promise.reject(new Error("The reader has gone.")));
    await expect(failing).rejects.toThrow("The reader has gone.");
    expect(await expectOk(stores.orders.find({ appId: "app_1", bizNo: "x" }))).toBeUndefined();
  });
});
