import { randomBytes } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { expectOk } from "@tillkit/contract-tests";
import type { Policy } from "@tillkit/core";
import { type MemoryPorts, memoryPorts } from "@tillkit/memory";
import { migrate, pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import { pgliteClient } from "@tillkit/postgres/pglite";
import pg from "pg";
import { inject } from "vitest";

/** Where the hosts of a test keep their data. On PostgreSQL, two hosts share one database. */
export type Storage = "memory" | "pglite" | "postgres";

/** What the hosts of a test have. All hosts share the clock and the wallets. */
export interface OpenedStores {
  /** The ports of each host. */
  readonly hosts: readonly [MemoryPorts, ...MemoryPorts[]];
  /** Runs SQL directly in the database. `undefined` in memory. */
  readonly sql: SqlClient | undefined;
  /** The name of the schema, if there is one. */
  readonly schema: string;
  readonly close: () => Promise<void>;
}

/** Timeouts that a busy machine does not reach. */
const PATIENT = { statementMs: 60_000, idleInTransactionMs: 60_000, connectMs: 60_000 };

/** Opens the ports of one host, or of two hosts on PostgreSQL. */
export async function openStores(
  storage: Storage,
  shared: { readonly clock: MemoryPorts["clock"]; readonly policy: Policy },
): Promise<OpenedStores> {
  const memory = memoryPorts(shared);
  if (storage === "memory")
    return { hosts: [memory], sql: undefined, schema: "", close: async () => undefined };
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const schema = `page_${randomBytes(6).toString("hex")}`;
  const over = (sql: SqlClient): MemoryPorts => ({
    ...memory,
    ...postgresStores({ sql, schema, credentialKeys }),
  });
  if (storage === "pglite") {
    const sql = pgliteClient(await PGlite.create());
    await expectOk(migrate({ sql, schema }));
    return { hosts: [over(sql)], sql, schema, close: () => sql.close() };
  }
  const client = () => pgClient(new pg.Pool({ connectionString: inject("databaseUrl"), max: 5 }), PATIENT);
  const [first, second] = [client(), client()];
  await expectOk(migrate({ sql: first, schema }));
  return {
    hosts: [over(first), over(second)],
    sql: first,
    schema,
    close: async () => {
      await first.script(`drop schema if exists ${schema} cascade`);
      await Promise.all([first.close(), second.close()]);
    },
  };
}
