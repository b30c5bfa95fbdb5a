import {
  aPayment,
  anEntry,
  anOrder,
  expectOk,
  FIXTURE_TIME,
  manyCases,
  MINUTE,
} from "@tillkit/contract-tests";
import type { EventHandler, Order, OrderEvent } from "@tillkit/core";
import type { ClaimedDelivery } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { embeddedClient, KEY, serverClient, serverSchema } from "../testing/databases.js";
import { quoted } from "../sql/tables.js";
import type { HandlerSql } from "./handler-sql.js";
import { transactionalHandler } from "./transactional-handler.js";

const LATER = FIXTURE_TIME + MINUTE;
const NEXT = { seq: 3, index: 0 };

let sql: Awaited<ReturnType<typeof serverSchema>>["sql"];
let schema: string;
let order: Order;
let effects: string;
beforeEach(async () => {
  ({ sql, schema } = await serverSchema());
  effects = `${quoted(schema)}.effects`;
  await sql.script(`create table ${effects} (event_id text not null)`);
  const { orders, eventDeliveries } = stores();
  await expectOk(eventDeliveries.registerHandler("ledger", FIXTURE_TIME));
  order = await expectOk(orders.insertOnce(anOrder(), anEntry()));
  await expectOk(orders.transition(order, aPayment()));
});

function stores() {
  return postgresStores({ sql, schema, credentialKeys: [KEY] });
}

function handlerOf(handle: (sql: HandlerSql) => Promise<unknown> = () => Promise.resolve()): EventHandler {
  return transactionalHandler({
    name: "ledger",
    sql,
    schema,
    handle: async (event, transaction) => {
      await transaction.query(`insert into ${effects} (event_id) values ($1)`, [event.id]);
      await handle(transaction);
    },
  });
}

async function claim(now = LATER): Promise<ClaimedDelivery> {
  const asked = { id: `claim-${String(now)}`, now, lease: MINUTE, limit: 1 };
  const [claimed] = await expectOk(stores().eventDeliveries.claimDue("ledger", asked));
  if (claimed === undefined) throw new Error("The payment was not due.");
  return claimed;
}

function deliver(handler: EventHandler, delivery: ClaimedDelivery, signal = new AbortController().signal) {
  const { eventDeliveries } = stores();
  return handler.deliver(paid(), { signal, eventDeliveries, delivery, next: NEXT, until: LATER + MINUTE });
}

function paid(): OrderEvent {
  const { id: orderId, appId, bizNo, customerIdentity, payChannel, amount } = order;
  const base = { orderId, appId, bizNo, customerIdentity, payChannel, amount };
  return { ...base, id: `${orderId}-2-0`, type: "order.paid", at: LATER, pmtDt: LATER };
}

async function storedEffects(): Promise<readonly string[]> {
  const all = statement("test_effects", `select event_id from ${effects}`);
  return (await sql.query(all, [])).map((row) => text(row, "event_id"));
}

const delivered = () =>
  expectOk(stores().eventDeliveries.find({ appId: order.appId, bizNo: order.bizNo, handler: "ledger" }));

describe("transactionalHandler", () => {
  it("commits the statements of the handler with the delivery", async () => {
    expect(await expectOk(deliver(handlerOf(), await claim()))).toMatchObject({ next: NEXT });
    expect(await storedEffects()).toEqual([paid().id]);
    expect(await delivered()).toMatchObject({ next: NEXT });
  });

  it("stores nothing if the handler rejects, and rejects with its error", async () => {
    const claimed = await claim();
    const handler = handlerOf(() => Promise.reject(new Error("full")));
    await expect(deliver(handler, claimed)).rejects.toThrow("full");
    expect(await storedEffects()).toEqual([]);
    expect(await delivered()).toMatchObject({ next: claimed.next });
  });

  it("accepts the values that an ORM returns with its SQL, and rejects others", async () => {
    const rows: unknown[] = [];
    const at = new Date("2026-01-15T08:00:00Z");
    const handler = handlerOf(async (transaction) => {
      const values = [at, 9_007_199_254_740_993n, true, 2, null];
      const text = "select $1::timestamptz = $6::timestamptz as at, $2 as big, $3::boolean as yes";
      rows.push(
        ...(await transaction.query(`${text}, $4::int as two, $5 as none`, [...values, at.toISOString()])),
      );
    });
    const claimed = await claim();
    const wrong = handlerOf((transaction) => transaction.query("select $1", [{ cents: 1 }]));
    await expect(deliver(wrong, claimed)).rejects.toThrow("not object");
    await expectOk(deliver(handler, claimed));
    expect(rows).toEqual([{ at: true, big: "9007199254740993", yes: true, two: 2, none: null }]);
  });

  it("stores nothing if the connection ends before the commit", async () => {
    const claimed = await claim();
    const end = (transaction: HandlerSql) =>
      transaction.query("select pg_terminate_backend(pg_backend_pid())");
    await expect(deliver(handlerOf(end), claimed)).rejects.toThrow();
    expect(await storedEffects()).toEqual([]);
    expect(await expectOk(deliver(handlerOf(), claimed))).toMatchObject({ next: NEXT });
    expect(await storedEffects()).toEqual([paid().id]);
  });

  it("stores nothing if the claim is lost while the handler runs", async () => {
    const claimed = await claim();
    const handler = handlerOf(async () => {
      const again = await claim(claimed.until);
      expect(await expectOk(deliver(handlerOf(), again))).toMatchObject({ next: NEXT });
    });
    expect(await expectOk(deliver(handler, claimed))).toBeUndefined();
    expect(await storedEffects()).toEqual([paid().id]);
  });

  it("does not call the handler if the claim is lost before", async () => {
    const claimed = await claim();
    const again = await claim(claimed.until);
    let calls = 0;
    const count = () => {
      calls += 1;
      return Promise.resolve();
    };
    expect(await expectOk(deliver(handlerOf(count), claimed))).toBeUndefined();
    expect(await expectOk(deliver(handlerOf(count), again))).toBeDefined();
    expect(calls).toBe(1);
  });

  it("stores the effect once if two workers deliver the same event at once", async () => {
    const claimed = await claim();
    const results = await Promise.all([1, 2].map(() => expectOk(deliver(handlerOf(), claimed))));
    expect(results.filter((result) => result !== undefined)).toHaveLength(1);
    expect(await storedEffects()).toEqual([paid().id]);
  });

  it("stores nothing after the deadline of the attempt", async () => {
    const claimed = await claim();
    const controller = new AbortController();
    const handler = handlerOf(() => {
      controller.abort();
      return Promise.resolve();
    });
    expect(await expectOk(deliver(handler, claimed, controller.signal))).toBeUndefined();
    expect(await storedEffects()).toEqual([]);
  });

  it("lets the order change while the handler runs", async () => {
    const claimed = await claim();
    const entry = anEntry({ type: "MISMATCH", alarm: true });
    const handler = handlerOf(() => expectOk(stores().orders.record(order, entry)));
    expect(await expectOk(deliver(handler, claimed))).toMatchObject({ next: NEXT, lastSeq: 3 });
  });

  it.each([
    { storage: "a pool of one connection", open: async () => serverClient({ max: 1 }) },
    ...(manyCases() ? [{ storage: "PGlite", open: embeddedClient }] : []),
  ])("ends the transaction of a handler that never ends, at its deadline: $storage", async ({ open }) => {
    const { sql: single, schema: own } = await serverSchema(await open());
    await single.script(`create table ${quoted(own)}.effects (event_id text not null)`);
    const all = postgresStores({ sql: single, schema: own, credentialKeys: [KEY] });
    await expectOk(all.eventDeliveries.registerHandler("ledger", FIXTURE_TIME));
    await expectOk(all.orders.insertOnce(order, anEntry()));
    await expectOk(all.orders.transition(order, aPayment()));
    const controller = new AbortController();
    const sessions: HandlerSql[] = [];
    const handler = transactionalHandler({
      name: "ledger",
      sql: single,
      schema: own,
      handle: async (event, transaction) => {
        await transaction.query(`insert into ${quoted(own)}.effects (event_id) values ($1)`, [event.id]);
        sessions.push(transaction);
        return new Promise(() => controller.abort());
      },
    });
    const request = { id: "claim", now: LATER, lease: MINUTE, limit: 1 };
    const [claimed] = await expectOk(all.eventDeliveries.claimDue("ledger", request));
    if (claimed === undefined) throw new Error("The payment was not due.");
    const attempt = { signal: controller.signal, eventDeliveries: all.eventDeliveries, delivery: claimed };
    const until = LATER + MINUTE;
    expect(await expectOk(handler.deliver(paid(), { ...attempt, next: NEXT, until }))).toBeUndefined();
    // The only connection is free again, and does not run later statements of the handler.
    const late = `insert into ${quoted(own)}.effects (event_id) values ('late')`;
    await expect(sessions[0]?.query(late)).rejects.toThrow("The attempt has ended");
    const rows = await single.query(
      statement("test_effects", `select event_id from ${quoted(own)}.effects`),
      [],
    );
    expect(rows).toEqual([]);
    expect(await expectOk(all.eventDeliveries.fail(claimed, { nextTryAt: LATER }))).toBe(true);
  });

  it("does not call the handler after the deadline of the attempt", async () => {
    const claimed = await claim();
    const handler = handlerOf();
    expect(await expectOk(deliver(handler, claimed, AbortSignal.abort()))).toBeUndefined();
    expect(await storedEffects()).toEqual([]);
  });

  it("rejects with the error of a statement that the handler ignores, and stores nothing", async () => {
    const claimed = await claim();
    const handler = handlerOf((transaction) => transaction.query("select 1 / 0").catch(() => undefined));
    await expect(deliver(handler, claimed)).rejects.toThrow("division by zero");
    expect(await storedEffects()).toEqual([]);
    expect(await delivered()).toMatchObject({ next: claimed.next });
  });

  it("lets the handler return to a savepoint after a failed statement", async () => {
    const handler = handlerOf(async (transaction) => {
      await transaction.query("savepoint before_try");
      await transaction.query("select 1 / 0").catch(() => undefined);
      await transaction.query("rollback to savepoint before_try");
    });
    expect(await expectOk(deliver(handler, await claim()))).toMatchObject({ next: NEXT });
    expect(await storedEffects()).toEqual([paid().id]);
  });

  it("rejects if a deferred constraint refuses the statements of the handler", async () => {
    await sql.script(
      `alter table ${effects} add constraint once unique (event_id) deferrable initially deferred`,
    );
    const insert = `insert into ${effects} (event_id) values ($1)`;
    const handler = handlerOf((transaction) => transaction.query(insert, [paid().id]));
    await expect(deliver(handler, await claim())).rejects.toThrow("once");
    expect(await storedEffects()).toEqual([]);
  });

  it("stores nothing if the handler tries to end the transaction", async () => {
    const handler = handlerOf((transaction) => transaction.query("commit"));
    await expect(deliver(handler, await claim())).rejects.toThrow("A handler cannot begin or end");
    expect(await storedEffects()).toEqual([]);
  });
});
