import { existsSync } from "node:fs";
import { isStorageFailure, type StorageFailure } from "@tillkit/core/errors";
import {
  checkSchema,
  type MigrationLockFailure,
  type NodeAddress,
  nodeUrl,
  type OnUnreadable,
  pgClient,
  type SchemaFailure,
  type SqlClient,
  type UnreadableRow,
} from "@tillkit/postgres";
import { openEmbedded } from "@tillkit/postgres/pglite";
import { err, errAsync, okAsync, type Result, ResultAsync } from "neverthrow";
import pg from "pg";
import { type CliFailure, databaseFailure, failure, storageFailure, unreadableText } from "./failure.js";
import type { DatabaseTimeouts, Io } from "./io.js";
import { type DatabaseOptions, type DatabasePlace, placeOf } from "./settings.js";

/** An open database and the schema of the tables. */
export interface Database {
  readonly sql: SqlClient;
  readonly schema: string;
  /**
   * Opens a node of the Citus cluster that the server belongs to. Absent for an embedded database.
   */
  readonly openNode?: (node: NodeAddress) => SqlClient;
  /** Prints each row that a list leaves out because the row cannot be read. */
  readonly onUnreadable: OnUnreadable;
}

/** How to open a database. */
export interface Opening {
  /** Whether to create the folder of an embedded database if it is missing. */
  readonly make?: boolean;
}

/** Runs `work` on the database that the options name, and closes it. Does not check the schema. */
export function withAnyDatabase<T>(
  io: Io,
  options: DatabaseOptions,
  work: (database: Database) => ResultAsync<T, CliFailure>,
  opening: Opening = {},
): ResultAsync<T, CliFailure> {
  return placeOf(options, io)
    .asyncAndThen((place) =>
      open(io, place, opening).map((sql) => {
        const onUnreadable = (row: UnreadableRow) => void io.stderr.write(`${unreadableText(row)}\n`);
        return { sql, schema: place.schema, onUnreadable, ...nodesOf(place) };
      }),
    )
    .andThen((database) => new ResultAsync(closing(database, work)));
}

/**
 * Runs `work` on the database that the options name, and closes it.
 *
 * Fails if this version cannot work with the schema.
 */
export function withDatabase<T>(
  io: Io,
  options: DatabaseOptions,
  work: (database: Database) => ResultAsync<T, CliFailure>,
): ResultAsync<T, CliFailure> {
  return withAnyDatabase(io, options, (database) =>
    checkSchema(database.sql, database.schema)
      .mapErr(schemaFailure)
      .andThen(() => work(database)),
  );
}

/** Explains why a schema cannot be used or was not reached. */
export function schemaFailure(problem: SchemaFailure | MigrationLockFailure | StorageFailure): CliFailure {
  if (isStorageFailure(problem)) return storageFailure(problem);
  if (problem.name === "schema.locked") return failure("unavailable", problem.name, problem.message);
  const advice = problem.name === "schema.not-migrated" ? " Run `tillkit migrate`." : "";
  return failure("schema", problem.name, problem.message + advice);
}

async function closing<T>(
  database: Database,
  work: (database: Database) => ResultAsync<T, CliFailure>,
): Promise<Result<T, CliFailure>> {
  try {
    return await work(database);
  } catch (cause) {
    return err(databaseFailure(cause));
  } finally {
    await database.sql.close();
  }
}

function open(io: Io, place: DatabasePlace, { make = false }: Opening): ResultAsync<SqlClient, CliFailure> {
  if (place.kind === "server") return okAsync(serverClient(place.url, io.databaseTimeouts));
  if (!make && !existsSync(place.folder))
    return errAsync(
      failure(
        "unavailable",
        "database.missing",
        `The folder ${place.folder} does not exist: correct --data-dir or DATA_DIR, or create the database with \`tillkit migrate\`.`,
      ),
    );
  return openEmbedded(place.folder).mapErr(({ name, message }) => failure("unavailable", name, message));
}

/**
 * How long a host waits for a connection to a node, in milliseconds.
 *
 * Hosts cannot use a node that takes longer, so such a node is a finding.
 */
const NODE_CONNECT_MS = 1_000;
/** How long a node may take to answer, in milliseconds. */
const NODE_ANSWER_MS = 10_000;

function nodesOf(place: DatabasePlace): Pick<Database, "openNode"> {
  if (place.kind !== "server") return {};
  return {
    openNode: (node) =>
      serverClient(nodeUrl(place.url, node), { connectMs: NODE_CONNECT_MS }, NODE_ANSWER_MS),
  };
}

/** @param answerMs - how long the server may take to answer a statement. Absent: no limit. */
function serverClient(url: string, timeouts: DatabaseTimeouts = {}, answerMs?: number): SqlClient {
  const { connectMs = 10_000 } = timeouts;
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    // Shorter than the timeout of the client, whose message would wrongly blame a pool without free
    // connections.
    connectionTimeoutMillis: Math.ceil(connectMs * 0.9),
    ...(answerMs === undefined ? {} : { query_timeout: answerMs }),
  });
  return pgClient(pool, { ...timeouts, connectMs });
}
