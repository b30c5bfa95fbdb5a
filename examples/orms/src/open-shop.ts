import { randomBytes } from "node:crypto";
import { type EventHandler, orThrow } from "@tillkit/core";
import { onEvent } from "@tillkit/host";
import { aShop } from "@tillkit/memory";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { drizzle } from "drizzle-orm/node-postgres";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { DataSource } from "typeorm";
import { drizzleLedger } from "./with-drizzle.js";
import { kyselyLedger, type Tables } from "./with-kysely.js";
import { ledgerEntry, typeormLedger } from "./with-typeorm.js";

const LEDGER = `create table ledger (
  event_id text not null, written_by text not null, cents bigint not null, paid_at timestamptz not null
)`;

/** Opens a shop in an empty database, where the tables of the application are those of the ORMs. */
export async function openShop(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const sql = pgClient(pool);
  const schema = "tillkit";
  await orThrow(migrate({ sql, schema }));
  await pool.query(LEDGER);
  const credentialKeys = [{ version: 1, key: new Uint8Array(randomBytes(32)) }];
  const shop = await aShop({ stores: postgresStores({ sql, schema, credentialKeys }) });

  // The application has these already.
  const typeorm = new DataSource({ type: "postgres", url: databaseUrl, entities: [ledgerEntry] });
  await typeorm.initialize();
  const dialect = new PostgresDialect({ pool });
  const handlers: readonly EventHandler[] = [
    drizzleLedger(drizzle(pool), { sql, schema }),
    kyselyLedger(new Kysely<Tables>({ dialect }), { sql, schema }),
    typeormLedger(typeorm, { sql, schema }),
  ];

  return {
    shop,
    pool,
    handlers,
    /** Delivers the due events to each handler, which receives events from the first call on. */
    deliver: async () => {
      for (const handler of handlers) {
        const running = onEvent(shop.ports, handler);
        await running.runNow();
        await running.stop();
      }
    },
    entries: async (): Promise<readonly unknown[]> => {
      const { rows } = await pool.query<Readonly<Record<string, unknown>>>(
        "select * from ledger order by written_by, event_id",
      );
      return rows;
    },
    close: async () => {
      await shop.end();
      await typeorm.destroy();
      await sql.close();
    },
  };
}
