import { errorCode } from "@tillkit/core/errors";
import type { ReadinessFailure, ReadinessNeed, ReadinessStore } from "@tillkit/core/ports";
import { err, ok, ResultAsync } from "neverthrow";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { storageFailureOf } from "../client/storage-failure.js";
import { tablesOf } from "../sql/tables.js";

/** The name of the only row of the table. */
const NAME = "host";

/** The number of rows that each check writes to temporary files: about half a megabyte. */
const SPILLED_ROWS = 20_000;

/** What the server lacks, and what to do. */
interface Need {
  readonly name: ReadinessNeed;
  readonly remedy: string;
}

const LACKS_RESOURCES: Need = {
  name: "storage.out-of-memory",
  remedy:
    "The server lacks memory or another resource for a write. Read its log. Give its machine more memory, or lower work_mem, shared_buffers and max_connections.",
};

/** What the server lacks, by SQLSTATE. */
const NEEDS: Readonly<Record<string, Need>> = {
  "25006": {
    name: "storage.read-only",
    remedy:
      "The database accepts no writes. After a failover, this address leads to the old primary or to a standby: correct the address, or the proxy in front of the database, so that it leads to the new primary. If there was no failover, end the read-only mode of the database (default_transaction_read_only).",
  },
  "53100": {
    name: "storage.disk-full",
    remedy:
      "The disk of the database is full. Free space or enlarge the disk: writes then succeed again. Look first for replication slots that nobody reads, and for archived logs.",
  },
  "53000": LACKS_RESOURCES,
  "53200": LACKS_RESOURCES,
  "53400": {
    name: "storage.limited",
    remedy:
      "A limit of the server's configuration refused a write. Set temp_file_limit to at least 1 MB, or to -1, for the server and for the role of the host. The server's log names the limit.",
  },
  "53300": {
    name: "storage.too-many-connections",
    remedy:
      "The server accepts no further connection. End connections that nobody uses, lower the number of connections of each host, or raise max_connections or the limit of the role or database.",
  },
};

/**
 * Creates a `ReadinessStore` on PostgreSQL, over the table of `schema`.
 *
 * @param sql - a client or a transaction.
 * @returns the store.
 * @example
 * ```ts
 * import { postgresReadinessStore } from "@tillkit/postgres";
 *
 * const written = await postgresReadinessStore(sql, "tillkit").write(Date.now());
 * if (written.isErr()) console.error(written.error.name);
 * ```
 */
export function postgresReadinessStore(sql: SqlQueries, schema: string): ReadinessStore {
  const { readiness } = tablesOf(schema);
  // The row fits into an existing page of the table, so writing it does not prove that the disk has
  // space. With the least `work_mem`, the rows of `generate_series` go to new files on the disk of
  // the database. The server removes these files at the end of the statement.
  const write = statement(
    "readiness_write",
    `with settings as materialized (
       select pg_catalog.set_config('temp_tablespaces', '', true) is not null
         and pg_catalog.set_config('work_mem', '64kB', true) is not null as are_set
     ), spilled as (
       select pg_catalog.count(*) as rows from settings,
         pg_catalog.generate_series(1, case when settings.are_set then ${SPILLED_ROWS} end)
     )
     insert into ${readiness} (name, written_ms)
     select '${NAME}', $1::bigint from spilled where rows > 0
     on conflict (name) do update set written_ms = excluded.written_ms`,
  );
  return {
    write: (now) =>
      new ResultAsync(
        sql.query(write, [now]).then(
          () => ok(undefined),
          (cause: unknown) => err(readinessFailureOf(cause)),
        ),
      ),
  };
}

/**
 * Converts what a `SqlClient` threw into the reason why a host is not ready.
 *
 * @returns the failure, with a remedy if the SQLSTATE shows what the server lacks.
 * @example
 * ```ts
 * import { readinessFailureOf } from "@tillkit/postgres";
 *
 * await sql.script("select 1").catch((error: unknown) => {
 *   console.error(readinessFailureOf(error).name);
 * });
 * ```
 */
export function readinessFailureOf(cause: unknown): ReadinessFailure {
  const code = errorCode(cause);
  const need = typeof code === "string" ? NEEDS[code] : undefined;
  return need === undefined ? storageFailureOf(cause) : { ...need, cause };
}
