import type { EventHandler } from "@tillkit/core";
import { transactionalHandler } from "@tillkit/postgres";
import { type DataSource, EntitySchema } from "typeorm";
import type { LedgerOptions } from "./ledger-options.js";

interface LedgerEntry {
  eventId: string;
  writtenBy: string;
  cents: number;
  paidAt: Date;
}

/** The entity of the ledger, for `entities` of the data source. */
export const ledgerEntry = new EntitySchema<LedgerEntry>({
  name: "LedgerEntry",
  tableName: "ledger",
  columns: {
    eventId: { name: "event_id", type: "text", primary: true },
    writtenBy: { name: "written_by", type: "text" },
    cents: { type: "bigint" },
    paidAt: { name: "paid_at", type: "timestamptz" },
  },
});

/** Writes each payment into a ledger with TypeORM. `db` is initialized. */
export function typeormLedger(db: DataSource, { sql, schema }: LedgerOptions): EventHandler {
  return transactionalHandler({
    name: "ledger-typeorm",
    types: ["order.paid"],
    sql,
    schema,
    handle: async ({ id, amount, at }, transaction) => {
      const row = { eventId: id, writtenBy: "typeorm", cents: amount, paidAt: new Date(at) };
      // `getQueryAndParameters` builds the statement. `save` would use another connection.
      const insert = db.createQueryBuilder().insert().into(ledgerEntry).values(row);
      await transaction.query(...insert.getQueryAndParameters());
    },
  });
}
