import { type HandlerSql, type SqlClient, transactionalHandler } from "@tillkit/postgres";
import type { EventHandler } from "@tillkit/core";
import { openStorage, SCHEMA } from "../../../cli/src/dev/open-storage.js";
import type { CrashEnvironment } from "./crash-environment.js";

/** Without a unique key, so that an event that takes effect twice has two rows. */
const CREATE = `create schema if not exists crash;
  create table if not exists crash.effects (
    place bigint generated always as identity,
    event_id text not null
  )`;

/** Creates the table of the effects, if it does not exist. */
export function createEffects(sql: Pick<SqlClient, "script">): Promise<void> {
  return sql.script(CREATE);
}

/** Creates a transactional handler that stores one row for each event, and sometimes fails. */
export function effectsHandler(sql: SqlClient): EventHandler {
  const store = (transaction: HandlerSql, id: string) =>
    transaction.query("insert into crash.effects (event_id) values ($1)", [id]);
  return transactionalHandler({
    name: "effects",
    sql,
    schema: SCHEMA,
    handle: async (event, transaction) => {
      const chance = Math.random();
      if (chance < 0.05) throw new Error("The handler fails before its effect.");
      await store(transaction, event.id);
      if (chance < 0.1) throw new Error("The handler fails after its effect.");
    },
  });
}

/**
 * Reads the ids of the events that took effect, in order, from the database of a stopped host.
 *
 * Returns `undefined` if the host has no transactional handler.
 */
export async function readEffects({
  dataDir,
  databaseUrl,
}: Pick<CrashEnvironment, "dataDir" | "databaseUrl">): Promise<readonly string[] | undefined> {
  const storage = await openStorage({ dataDir, databaseUrl, print: () => undefined });
  const { sql } = storage;
  try {
    const found = "select to_regclass('crash.effects') is not null as found";
    const [table] = await sql.query({ name: "crash_has_effects", text: found }, []);
    if (table?.["found"] !== true) return undefined;
    const text = "select event_id from crash.effects order by place";
    return (await sql.query({ name: "crash_effects", text }, [])).map((row) => String(row["event_id"]));
  } finally {
    await storage.close();
  }
}
