import type { ReadinessFailure } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { postgresReadinessStore, readinessFailureOf } from "../readiness/readiness-store.js";
import { checkSchema, type SchemaFailure } from "./schema-state.js";
import type { SqlQueries } from "../sql/sql-client.js";

/**
 * Checks that a host can use its database: one connection, the schema, and a write.
 *
 * Run it with the role of the host. The write replaces the only row of the table `readiness`. Fails
 * like {@link checkSchema}, and with:
 *
 * - `storage.read-only` if the database refuses writes, as after a failover;
 * - `storage.disk-full` if its disk has no space for half a megabyte of temporary files;
 * - `storage.limited` if a limit such as `temp_file_limit` refuses the temporary files;
 * - `storage.out-of-memory` if the server lacks memory or another resource;
 * - `storage.too-many-connections` if the server has reached its limit of connections.
 *
 * @param sql - a separate client, so that the check works even if the host uses all its
 *   connections.
 * @param now - the time of the host, epoch milliseconds.
 * @returns nothing. Each failure except `storage.unavailable` has a remedy or a message.
 * @example
 * ```ts
 * import { checkReadiness } from "@tillkit/postgres";
 *
 * const ready = await checkReadiness(sql, "tillkit");
 * if (ready.isErr()) console.error(ready.error.name);
 * ```
 */
export function checkReadiness(
  sql: SqlQueries,
  schema: string,
  now: number = Date.now(),
): ResultAsync<undefined, SchemaFailure | ReadinessFailure> {
  return checkSchema(sql, schema)
    .mapErr((failure) => ("cause" in failure ? readinessFailureOf(failure.cause) : failure))
    .andThen(() => postgresReadinessStore(sql, schema).write(now));
}
