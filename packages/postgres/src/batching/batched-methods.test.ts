import {
  aHash,
  anAccount,
  anEntry,
  anOrder,
  aSession,
  FIXTURE_TIME,
  DAY,
  expectOk,
  MINUTE,
  race,
  unique,
} from "@tillkit/contract-tests";
import type { Order, Stores } from "@tillkit/core";
import { ok } from "neverthrow";
import { beforeEach, describe, expect, it } from "vitest";
import { text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { withBlockedStatement } from "../testing/blocked-statement.js";
import { type RecordedStores, recordedStores } from "../testing/recorded-stores.js";

let sql: SqlClient;
let schema: string;
let stores: Stores;
let ran: RecordedStores["ran"];
beforeEach(async () => {
  ({ sql, schema, stores, ran } = await recordedStores());
});

const prepayment = (validUntil = FIXTURE_TIME + DAY) => ({
  issuedAt: FIXTURE_TIME,
  validUntil,
  values: { prepay_id: "p" },
});

async function held(order: Order = anOrder()): Promise<Order> {
  await expectOk(stores.orders.insertOnce(order, anEntry()));
  return order;
}

describe("calls of one turn share a statement, and a single call has its own:", () => {
  it("orders.insertOnce", async () => {
    const [first, second, third] = [anOrder(), anOrder(), anOrder()];
    await held(first);
    expect(ran()).toEqual(["order_insert"]);
    const changed = { ...first, amount: first.amount + 1 };
    const calls = [second, changed, third].map((order) =>
      expectOk(stores.orders.insertOnce(order, anEntry())),
    );
    expect(await Promise.all(calls)).toEqual([second, first, third]);
    expect(ran()).toEqual(["order_insert_batched", "order_find_batched"]);
    for (const order of [first, second, third])
      expect(await expectOk(stores.orders.timeline(order))).toHaveLength(1);
  });

  it("orders.find", async () => {
    const [first, second] = [await held(), await held()];
    ran();
    expect(await expectOk(stores.orders.find(first))).toEqual(first);
    expect(ran()).toEqual(["order_find"]);
    const keys = [second, { ...first, appId: "app_other" }, first, second];
    const found = await Promise.all(keys.map((key) => expectOk(stores.orders.find(key))));
    expect(found).toEqual([second, undefined, first, second]);
    expect(ran()).toEqual(["order_find_batched"]);
  });

  it("orders.list", async () => {
    const customerIdentity = unique("customer-");
    const orders: Order[] = [];
    for (const day of [0, 1, 2])
      orders.push(await held(anOrder({ customerIdentity, gmtCreate: FIXTURE_TIME + day * DAY })));
    const other = await held(anOrder({ customerIdentity: unique("customer-") }));
    const [oldest, middle, newest] = orders;
    const page = { appId: other.appId, customerIdentity, offset: 0, limit: 2 };
    ran();
    expect(await expectOk(stores.orders.list(page))).toEqual({ items: [newest, middle], totalCount: 3 });
    expect(ran()).toEqual(["order_list"]);
    const pages = [
      { ...page, customerIdentity: other.customerIdentity },
      { ...page, offset: 1 },
      { ...page, offset: 9 },
      { ...page, customerIdentity: unique("nobody-") },
      page,
    ];
    const answers = [
      { items: [other], totalCount: 1 },
      { items: [middle, oldest], totalCount: 3 },
      { items: [], totalCount: 3 },
      { items: [], totalCount: 0 },
      { items: [newest, middle], totalCount: 3 },
    ];
    expect(await race(pages.length, (n) => stores.orders.list({ ...page, ...pages[n] }))).toEqual(answers);
    expect(ran()).toEqual(["order_list_batched"]);
    const byStatus = (n: number) => stores.orders.list({ ...page, ...pages[n], paymentStatus: "PENDING" });
    expect(await race(pages.length, byStatus)).toEqual(answers);
    expect(ran()).toEqual(["order_list_by_status_batched"]);
    const paid = () => stores.orders.list({ ...page, paymentStatus: "PAID" });
    expect(await race(2, paid)).toEqual([
      { items: [], totalCount: 0 },
      { items: [], totalCount: 0 },
    ]);
  });

  it("orders.attachPrepayment", async () => {
    const [first, second] = [await held(), await held()];
    ran();
    const attached = await expectOk(stores.orders.attachPrepayment(first, prepayment()));
    expect(ran()).toEqual(["order_attach_prepayment"]);
    const answers = await race(2, (n) =>
      stores.orders.attachPrepayment(n === 0 ? second : first, prepayment(FIXTURE_TIME + 2 * DAY)),
    );
    expect(answers).toEqual([{ ...second, prepayment: prepayment(FIXTURE_TIME + 2 * DAY) }, attached]);
    expect(ran()).toEqual(["order_attach_prepayment_batched"]);
    expect(await expectOk(stores.orders.find(first))).toEqual(attached);
  });

  it("payTools.find, each pay tool once", async () => {
    const [first, second] = [
      await expectOk(stores.payTools.put(anAccount({ appId: "app_1" }))),
      await expectOk(stores.payTools.put(anAccount({ appId: "app_2" }))),
    ];
    ran();
    expect(await expectOk(stores.payTools.find(first.id))).toEqual(first);
    expect(ran()).toEqual(["pay_tool_find"]);
    const ids = [first.id, second.id, first.id, "01UNKNOWN", first.id];
    const found = await race(ids.length, (n) => stores.payTools.find(ids[n] ?? ""));
    expect(found).toEqual([first, second, first, undefined, first]);
    expect(ran()).toEqual(["pay_tool_find", "pay_tool_find", "pay_tool_find"]);
    const renewed = { ...first, credentials: { key: "renewed" } };
    await expectOk(stores.payTools.put(renewed));
    expect(await race(2, () => stores.payTools.find(first.id))).toEqual([renewed, renewed]);
  });

  it("payTools.find, failing only the call for credentials that cannot be read", async () => {
    const [broken, sound] = [
      await expectOk(stores.payTools.put(anAccount({ appId: "app_1" }))),
      await expectOk(stores.payTools.put(anAccount({ appId: "app_2" }))),
    ];
    const { pay_tools: tools } = tablesOf(schema);
    const injectFault = statement(
      "test_spoil",
      `update ${tools} set credentials = 'v1:spoilt' where id = $1`,
    );
    await sql.query(injectFault, [broken.id]);
    ran();
    const [first, second, again] = await Promise.all(
      [broken, sound, broken].map(({ id }) => stores.payTools.find(id)),
    );
    expect(first?._unsafeUnwrapErr()).toMatchObject({ name: "storage.misconfigured" });
    expect(second).toEqual(ok(sound));
    expect(again?._unsafeUnwrapErr()).toMatchObject({ name: "storage.misconfigured" });
    // If the database fails, the calls are not repeated one by one.
    expect(ran()).toEqual(["pay_tool_find", "pay_tool_find"]);
  });

  it("sessions.use", async () => {
    const [first, second] = [aSession(), aSession()];
    for (const session of [first, second]) await expectOk(stores.sessions.open(session, 5));
    ran();
    expect(await expectOk(stores.sessions.use(first, FIXTURE_TIME))).toBe(true);
    expect(ran()).toEqual(["session_find_live"]);
    const asked = [
      { session: second, now: FIXTURE_TIME },
      { session: { ...first, tokenHash: aHash() }, now: FIXTURE_TIME },
      { session: first, now: FIXTURE_TIME },
      { session: first, now: first.expiresAt },
    ];
    const answers = asked.map(({ session, now }) => expectOk(stores.sessions.use(session, now)));
    expect(await Promise.all(answers)).toEqual([true, false, true, false]);
    expect(ran()).toEqual(["session_find_live_batched"]);
  });
});

it("64 concurrent calls create 32 orders, with two calls for each order", async () => {
  const keys = Array.from({ length: 32 }, () => anOrder());
  const kept = await race(64, (n) => {
    const key = { ...anOrder(), ...keys[n % 32] };
    return stores.orders.insertOnce({ ...key, amount: 100 + n, id: unique("order-") }, anEntry());
  });
  expect(kept.slice(32)).toEqual(kept.slice(0, 32));
  for (const order of kept.slice(0, 32)) {
    expect(await expectOk(stores.orders.find(order))).toEqual(order);
    expect(await expectOk(stores.orders.timeline(order))).toMatchObject([{ seq: 1, previousHash: order.id }]);
  }
});

it("a batch fails only the call whose values the server rejects", async () => {
  const [first, refused, last] = [anOrder(), anOrder({ goodsTitle: "nul \u0000" }), anOrder()];
  const calls = [first, refused, last].map((order) => stores.orders.insertOnce(order, anEntry()));
  const [one, two, three] = await Promise.all(calls);
  expect(one).toEqual(ok(first));
  expect(two?._unsafeUnwrapErr()).toMatchObject({ name: "storage.unavailable" });
  expect(three).toEqual(ok(last));
  expect(await expectOk(stores.orders.find(refused))).toBeUndefined();
});

it("a locked order blocks only the calls for this order", async () => {
  const [locked, free] = [await held(), await held()];
  const { orders } = tablesOf(schema);
  const waiting = statement(
    "test_waiting",
    "select query from pg_stat_activity where wait_event_type = 'Lock' and position($1 in query) > 0",
  );
  const waits = await sql.transaction(async (holder) => {
    const hold = statement("test_hold", `select from ${orders} where biz_no = $1 for update`);
    await holder.query(hold, [locked.bizNo]);
    const calls = [locked, free].map((order) =>
      expectOk(stores.orders.attachPrepayment(order, prepayment())),
    );
    const single = async () => {
      const [row] = await sql.query(waiting, [orders]);
      return row !== undefined && !text(row, "query").includes("json_to_recordset");
    };
    await expect.poll(single).toBe(true);
    expect(await calls[1]).toMatchObject({ bizNo: free.bizNo, prepayment: prepayment() });
    return { call: calls[0] };
  });
  expect(await waits.call).toMatchObject({ bizNo: locked.bizNo, prepayment: prepayment() });
});

it("a batch stores the prepayment of an order that another call changed during the statement", async () => {
  const [first, second] = [await held(), await held()];
  ran();
  const calls = await withBlockedStatement(
    sql,
    { schema, table: tablesOf(schema).orders, column: "biz_no", value: first.bizNo },
    () => race(2, (n) => stores.orders.attachPrepayment(n === 0 ? first : second, prepayment())),
    async () => expect(await expectOk(stores.orders.claimQuery(second, FIXTURE_TIME, MINUTE))).toBe(true),
  );
  expect(calls).toMatchObject([{ prepayment: prepayment() }, { prepayment: prepayment() }]);
  expect(await expectOk(stores.orders.find(second))).toMatchObject({
    prepayment: prepayment(),
    queriedAt: FIXTURE_TIME,
  });
  expect(ran().slice(0, 2)).toEqual(["order_attach_prepayment_batched", "order_claim_query"]);
});
