import { randomBytes } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { type Opened, expectOk } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { CredentialKey } from "../credential-cipher.js";
import { migrate } from "../migrate.js";
import { pgClient } from "../pg-client.js";
import { pgliteClient } from "../pglite.js";
import { postgresStores } from "../postgres-stores.js";
import type { SqlClient } from "../sql-client.js";
import { quoted, tablesOf } from "../tables.js";

/** A key for tests. */
export const KEY: CredentialKey = { version: 1, key: randomBytes(32) };

/** The name of a schema nobody else has. It needs quoting, so that a statement which forgets to quote fails. */
export function freshSchema(): string {
  return `Till "kit" ${randomBytes(6).toString("hex")}`;
}

/** A client of the run's PostgreSQL server, as the server's superuser unless told. */
export function serverClient({
  user,
  max = 10,
  ...timeouts
}: { readonly user?: string; readonly max?: number; readonly statementMs?: number } = {}): SqlClient {
  const url = new URL(inject("databaseUrl"));
  if (user !== undefined) {
    url.username = user;
    url.password = user;
  }
  return pgClient(new pg.Pool({ connectionString: url.href, max }), timeouts);
}

/** A client of a PGlite database in memory. Making one takes seconds: a test that is not about PGlite takes the server. */
export async function embeddedClient(): Promise<SqlClient> {
  return pgliteClient(await PGlite.create());
}

/** A schema of the test's own on the run's server, migrated, which goes with the test. */
export async function serverSchema(): Promise<{ readonly sql: SqlClient; readonly schema: string }> {
  const sql = serverClient();
  const schema = freshSchema();
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  await expectOk(migrate({ sql, schema }));
  return { sql, schema };
}

/** One migrated schema that is emptied for each test: making one anew takes longer than most tests. */
export interface TestSchema {
  open(): Promise<Opened<Stores>>;
  /** Removes the schema and closes the clients. */
  close(): Promise<void>;
}

/** Migrates a fresh schema as `owner`. The stores work through `application` when it is given, and through `owner` otherwise. */
export async function testSchema(
  owner: SqlClient,
  application?: { readonly role: string; readonly sql: SqlClient },
): Promise<TestSchema> {
  const schema = freshSchema();
  await expectOk(
    migrate({ sql: owner, schema, ...(application === undefined ? {} : { application: application.role }) }),
  );
  const { schema_migrations: _kept, ...tables } = tablesOf(schema);
  const empty = Object.values(tables)
    .map((table) => `delete from ${table};`)
    .join("\n");
  return {
    open: async () => {
      await owner.script(empty);
      // Stores of its own for each test: what those of another remember is of tables that were full.
      const sql = application?.sql ?? owner;
      const stores = postgresStores({ sql, schema, credentialKeys: [KEY] });
      return { port: stores, close: async () => undefined };
    },
    close: async () => {
      await application?.sql.close();
      await owner.script(`drop schema ${quoted(schema)} cascade`);
      await owner.close();
    },
  };
}
