import { randomBytes } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import {
  type CredentialsAtRest,
  type DamageableStores,
  expectOk,
  type MisconfigurableStores,
  type Misconfiguration,
  type Opened,
  type OpenedStores,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { CredentialKey } from "../credentials/credential-cipher.js";
import { migrate } from "../admin/migrate.js";
import { nodeUrl } from "../client/node-url.js";
import { pgClient, type PgOptions } from "../client/pg-client.js";
import { pgliteClient } from "../pglite.js";
import { type PostgresStorage, postgresStores } from "../stores/postgres-stores.js";
import { postgresReadinessStore } from "../readiness/readiness-store.js";
import { text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";
import { embeddedSnapshot } from "./embedded-snapshot.js";

/** A host may replace the parsers of the driver. Every test runs with parsers that are useless. */
const useless = () => "a value that the host has parsed";
const oids = Object.values(pg.types.builtins);
for (const oid of oids) pg.types.setTypeParser(oid, useless);
const uselessParsers = Object.fromEntries(oids.map((oid) => [oid, useless]));

/** A credential key for tests. */
export const KEY: CredentialKey = { version: 1, key: randomBytes(32) };

/**
 * Returns a unique schema name. It needs quoting, so a statement that forgets to quote it fails.
 */
export function freshSchema(): string {
  return `Till "kit" ${randomBytes(6).toString("hex")}`;
}

/** Timeouts that a busy machine does not reach. */
const PATIENT = { statementMs: 60_000, idleInTransactionMs: 60_000, connectMs: 60_000 };

/** The options of {@link serverClient}. */
interface ServerClientOptions extends PgOptions {
  /** The URL of the server. Defaults to the PostgreSQL server of the test run. */
  readonly server?: string;
  /** The role, whose password is its name. Defaults to the role of the URL. */
  readonly user?: string;
  readonly max?: number;
  /** Whether the client connects to the nodes of a cluster directly. */
  readonly direct?: boolean;
}

/** Creates a client of a PostgreSQL server. Defaults to the superuser of the test run's server. */
export function serverClient({
  server = inject("databaseUrl"),
  user,
  max = 10,
  direct = false,
  ...options
}: ServerClientOptions = {}): SqlClient {
  const url = new URL(server);
  if (user !== undefined) {
    url.username = user;
    url.password = user;
  }
  const poolOf = (connectionString: string) => new pg.Pool({ connectionString, max });
  return pgClient(poolOf(url.href), {
    ...PATIENT,
    ...(direct ? { nodePool: (node) => poolOf(nodeUrl(url.href, node)) } : {}),
    ...options,
  });
}

/**
 * Creates a client of a PGlite database in memory, from a snapshot of a new database.
 *
 * Loading the snapshot is slow, so tests that are not about PGlite use the server.
 */
export async function embeddedClient(): Promise<SqlClient> {
  return pgliteClient(
    await PGlite.create({ loadDataDir: await embeddedSnapshot(), parsers: uselessParsers }),
  );
}

/**
 * Creates a migrated schema with `sql`. The schema is dropped and `sql` closed after the test.
 *
 * Defaults to the server of the test run.
 */
export async function serverSchema(
  sql: SqlClient = serverClient(),
): Promise<{ readonly sql: SqlClient; readonly schema: string }> {
  const schema = freshSchema();
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  await expectOk(migrate({ sql, schema }));
  return { sql, schema };
}

/** A migrated schema that is emptied for each test, because creating a schema is slow. */
export interface TestSchema {
  open(): Promise<
    OpenedStores &
      Pick<DamageableStores, "damageApp"> &
      Pick<MisconfigurableStores, "misconfigure" | "repair">
  >;
  /** Drops the schema and closes the clients. */
  close(): Promise<void>;
}

/**
 * Migrates a new schema as `owner`.
 *
 * The stores use `application` if it is given, and `owner` otherwise. `options` holds further
 * options of the stores. `prepare` changes the migrated schema before the first test.
 */
export async function testSchema(
  owner: SqlClient,
  application?: { readonly role: string; readonly sql: SqlClient },
  options: Pick<PostgresStorage, "batching" | "distributed"> = {},
  prepare?: (quotedSchema: string) => Promise<void>,
): Promise<TestSchema> {
  const schema = freshSchema();
  await expectOk(
    migrate({ sql: owner, schema, ...(application === undefined ? {} : { application: application.role }) }),
  );
  await prepare?.(quoted(schema));
  const { schema_migrations: _kept, ...tables } = tablesOf(schema);
  const empty = Object.values(tables)
    .map((table) => `delete from ${table};`)
    .join("\n");
  return {
    open: async () => {
      await owner.script(empty);
      // Each test gets new stores, because cached values of another test refer to deleted rows.
      const sql = application?.sql ?? owner;
      const openStores = () => postgresStores({ sql, schema, credentialKeys: [KEY], ...options });
      const credentialsAtRest = credentialsIn(owner, schema, () => openStores().payTools);
      // Sets the end of a secret to a value that exceeds the safe integers.
      const damageApp = (appId: string) =>
        owner.script(
          `update ${tables.apps} set secrets = jsonb_set(secrets, '{0,expiresAt}', '9007199254740993') where app_id = '${appId}'`,
        );
      const mistakes = mistakesIn(schema, application?.role ?? "public");
      return {
        port: openStores(),
        credentialsAtRest,
        readOnly: postgresReadinessStore(readOnlyClient(sql), schema),
        damageApp,
        misconfigure: (mistake) => owner.script(mistakes[mistake].make),
        repair: (mistake) => owner.script(mistakes[mistake].correct),
        close: async () => undefined,
      };
    },
    close: async () => {
      await application?.sql.close();
      await owner.script(`drop schema ${quoted(schema)} cascade`);
      await owner.close();
    },
  };
}

/** Returns the SQL that makes and corrects each mistake of an operator, in the table of apps. */
function mistakesIn(
  schema: string,
  role: string,
): Readonly<Record<Misconfiguration, Readonly<Record<"make" | "correct", string>>>> {
  const { apps } = tablesOf(schema);
  const gone = quoted(`${schema} gone`);
  return {
    "missing right": {
      make: `revoke select, insert on ${apps} from ${role}`,
      correct: `grant select, insert on ${apps} to ${role}`,
    },
    "missing table": {
      make: `alter table ${apps} rename to apps_gone`,
      correct: `alter table ${quoted(schema)}.apps_gone rename to apps`,
    },
    "missing column": {
      make: `alter table ${apps} rename column account_based to gone`,
      correct: `alter table ${apps} rename column gone to account_based`,
    },
    "missing schema": {
      make: `alter schema ${quoted(schema)} rename to ${gone}`,
      correct: `alter schema ${gone} rename to ${quoted(schema)}`,
    },
  };
}

/**
 * Creates a client whose statements run with the rights of `role`. `sql` may switch to this role.
 */
export function clientOf(role: string, sql: SqlClient): SqlClient {
  const switched: SqlClient["transaction"] = (work, options) =>
    sql.transaction(async (queries) => {
      await queries.script(`set local role ${role}`);
      return work(queries);
    }, options);
  return {
    query: (asked, values) => switched((queries) => queries.query(asked, values)),
    script: (script) => switched((queries) => queries.script(script)),
    transaction: switched,
    close: async () => undefined,
  };
}

/** Returns a client whose statements the database refuses if they write, over `sql`. */
export function readOnlyClient(sql: SqlClient): SqlClient {
  const readOnly: SqlClient["transaction"] = (work, options) =>
    sql.transaction(async (queries) => {
      await queries.script("set transaction read only");
      return work(queries);
    }, options);
  return {
    query: (asked, values) => readOnly((queries) => queries.query(asked, values)),
    script: (script) => readOnly((queries) => queries.script(script)),
    transaction: readOnly,
    close: async () => undefined,
  };
}

/** Creates the function that opens one of the stores of a schema. */
export function openStoreOf(database: () => TestSchema) {
  return <T extends keyof Stores>(store: T) =>
    async (): Promise<Opened<Stores[T]>> => {
      const opened = await database().open();
      return { port: opened.port[store], close: () => opened.close() };
    };
}

/** Reads the encrypted credentials from the table of pay tools, as `owner`. */
function credentialsIn(
  owner: SqlClient,
  schema: string,
  reopened: CredentialsAtRest["reopened"],
): CredentialsAtRest {
  const { pay_tools: tools } = tablesOf(schema);
  const find = statement("test_credentials_find", `select credentials from ${tools} where id = $1`);
  const set = statement(
    "test_credentials_set",
    `update ${tools} set credentials = $2 where id = $1 returning id`,
  );
  return {
    reopened,
    read: async (id) => {
      const [row] = await owner.query(find, [id]);
      if (row === undefined) throw new Error(`There is no pay tool ${id}.`);
      return text(row, "credentials");
    },
    write: async (id, sealed) => {
      const rows = await owner.query(set, [id, sealed]);
      if (rows.length === 0) throw new Error(`There is no pay tool ${id}.`);
    },
  };
}
