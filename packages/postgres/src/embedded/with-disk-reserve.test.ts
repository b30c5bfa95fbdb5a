import { anEntry, anOrder, expectFailure, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { KEY, serverSchema } from "../testing/databases.js";
import { withDiskReserve } from "./with-disk-reserve.js";

const RESERVE = 1_000;

it("the client rejects writes while the disk is full, still reads, and writes again when space is free", async () => {
  const { sql, schema } = await serverSchema();
  let free = RESERVE;
  const roomy = withDiskReserve(sql, { freeBytes: async () => free, reserveBytes: RESERVE });
  const { orders, billLines } = postgresStores({ sql: roomy, schema, credentialKeys: [KEY] });
  const [before, after] = [anOrder(), anOrder()];
  await expectOk(orders.insertOnce(before, anEntry()));

  free = RESERVE - 1;
  const refusal = { name: "storage.unavailable", cause: { code: "53100" } };
  const tried = async () => (await orders.insertOnce(anOrder(), anEntry())).isOk();
  await expect.poll(tried).toBe(false);
  expect(await expectFailure(orders.insertOnce(after, anEntry()))).toMatchObject(refusal);
  expect(await expectFailure(billLines.discard("run", 1))).toMatchObject(refusal);
  await expect(roomy.script("select 1")).rejects.toThrow("Free disk space");
  await expect(roomy.transaction(async () => "written")).rejects.toThrow("Free disk space");
  expect(await expectOk(orders.find(before))).toMatchObject({ id: before.id });
  expect(await expectOk(orders.find(after))).toBeUndefined();

  free = RESERVE;
  await expect.poll(async () => (await orders.insertOnce(after, anEntry())).isOk()).toBe(true);
  expect(await expectOk(orders.find(after))).toMatchObject({ id: after.id });
});

it("the client checks the disk at most ten times a second, also in a long transaction", async () => {
  const { sql } = await serverSchema();
  let looks = 0;
  const roomy = withDiskReserve(sql, {
    freeBytes: async () => {
      looks += 1;
      return looks === 1 ? RESERVE : 0;
    },
    reserveBytes: RESERVE,
  });
  const count = (queries: Pick<typeof roomy, "script">) => queries.script("select 1");
  const many = roomy.transaction(async (queries) => {
    for (;;) await count(queries);
  });
  await expect(many).rejects.toThrow("Free disk space");
  expect(looks).toBe(2);
});
