import { orThrow } from "@tillkit/core";
import { createDatabase, type LocalPostgres, startPostgres } from "@tillkit/local-postgres";
import type pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openShop } from "./open-shop.js";

let server: LocalPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** Opens a shop with a paid order whose events were not delivered yet. */
async function aPayment() {
  const opened = await openShop(await createDatabase(server.url));
  onTestFinished(opened.close);
  await opened.deliver();
  const { order } = await opened.shop.placeOrder();
  await opened.shop.wallets.WALLET_A.notify(order);
  return { ...opened, order };
}

/** Returns the rows as text: other tests of the process replace the parsers of the driver. */
async function entriesOf(pool: pg.Pool): Promise<readonly unknown[]> {
  const { rows } = await pool.query<Readonly<Record<string, string>>>({
    text: `select written_by, event_id, cents, round(extract(epoch from paid_at) * 1000) as paid_ms
      from ledger order by written_by, event_id`,
    types: { getTypeParser: () => String },
  });
  return rows;
}

const WRITERS = ["drizzle", "kysely", "typeorm"];

it("writes each payment once with each ORM", async () => {
  const { deliver, order, shop, pool } = await aPayment();
  await deliver();
  await deliver();
  const paid = { event_id: `${order.id}-2-0`, cents: "600", paid_ms: String(shop.ports.clock.now()) };
  expect(await entriesOf(pool)).toEqual(WRITERS.map((name) => ({ ...paid, written_by: name })));
});

it("stores the row of an ORM and the delivery of the event in one transaction", async () => {
  const { deliver, order, shop, pool } = await aPayment();
  // Refuses to store the delivery, after the ORM has written its row.
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$;
    create trigger refuse before update on tillkit.event_deliveries
      for each row when (new.next_seq > old.next_seq) execute function refuse();`);
  await deliver();
  expect(await entriesOf(pool)).toEqual([]);
  for (const name of WRITERS) {
    const key = { handler: `ledger-${name}`, appId: order.appId, bizNo: order.bizNo };
    const delivery = await orThrow(shop.ports.eventDeliveries.find(key));
    expect(delivery).toMatchObject({ next: { seq: 2, index: 0 }, tries: 1 });
  }
  await pool.query("drop trigger refuse on tillkit.event_deliveries");
  shop.advance(3_600_000); // the pause before the next attempt
  await deliver();
  expect((await entriesOf(pool)).length).toBe(3);
});
