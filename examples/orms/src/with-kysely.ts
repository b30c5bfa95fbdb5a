import type { EventHandler } from "@tillkit/core";
import { transactionalHandler } from "@tillkit/postgres";
import type { Kysely } from "kysely";
import type { LedgerOptions } from "./ledger-options.js";

/** The tables of the application. */
export interface Tables {
  readonly ledger: {
    readonly event_id: string;
    readonly written_by: string;
    readonly cents: number;
    readonly paid_at: Date;
  };
}

/** Writes each payment into a ledger with Kysely. */
export function kyselyLedger(db: Kysely<Tables>, { sql, schema }: LedgerOptions): EventHandler {
  return transactionalHandler({
    name: "ledger-kysely",
    types: ["order.paid"],
    sql,
    schema,
    handle: async ({ id, amount, at }, transaction) => {
      const row = { event_id: id, written_by: "kysely", cents: amount, paid_at: new Date(at) };
      // `compile` builds the statement. `execute` would use another connection.
      const insert = db.insertInto("ledger").values(row).compile();
      await transaction.query(insert.sql, insert.parameters);
    },
  });
}
