import type { EventHandler } from "@tillkit/core";
import { transactionalHandler } from "@tillkit/postgres";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { LedgerOptions } from "./ledger-options.js";

const ledger = pgTable("ledger", {
  eventId: text("event_id").notNull(),
  writtenBy: text("written_by").notNull(),
  cents: bigint("cents", { mode: "number" }).notNull(),
  paidAt: timestamp("paid_at", { withTimezone: true }).notNull(),
});

/** Writes each payment into a ledger with Drizzle. */
export function drizzleLedger(db: NodePgDatabase, { sql, schema }: LedgerOptions): EventHandler {
  return transactionalHandler({
    name: "ledger-drizzle",
    types: ["order.paid"],
    sql,
    schema,
    handle: async ({ id, amount, at }, transaction) => {
      const row = { eventId: id, writtenBy: "drizzle", cents: amount, paidAt: new Date(at) };
      // `toSQL` builds the statement. To await `db.insert` would use another connection.
      const insert = db.insert(ledger).values(row).toSQL();
      await transaction.query(insert.sql, insert.params);
    },
  });
}
