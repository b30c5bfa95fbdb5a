import { isError } from "@tillkit/core/errors";
import { randomUUID } from "node:crypto";
import { realpath, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { packFolder } from "./folder-pack.js";
import { type EmbeddedFailure, openEmbedded } from "./open-embedded.js";
import type { SqlClient } from "../sql/sql-client.js";

/**
 * The templates of `create database`. They are two thirds of the files of a new database.
 *
 * An embedded database serves one database, so it creates no others.
 */
const TEMPLATES = ["template0", "template1"] as const;

/** The reason why a snapshot was not written. `message` is one line for the operator. */
export interface SnapshotFailure {
  readonly name: "snapshot.not-written";
  readonly message: string;
  readonly cause: unknown;
}

/**
 * Writes a snapshot of a new embedded database to `file`, for the option `snapshot` of
 * {@link openEmbedded}.
 *
 * Creating a database takes seconds, and starting from a snapshot a fraction of a second. Write the
 * snapshot when you build your program, and again after an update of `@tillkit/postgres` or PGlite.
 *
 * The snapshot contains all that `prepare` stores. Let `prepare` migrate the schema. Store no data
 * that differs between hosts, such as ids and secrets.
 *
 * The snapshot lacks the template databases. So in a database that started from it, `create
 * database` fails unless the statement names an existing template.
 *
 * Replaces `file` atomically. Uses a temporary folder beside `file`.
 *
 * @param prepare - is called with the new, empty database. If it fails, nothing is written.
 * @returns fails with the failure of `prepare`, or if the database or the file cannot be written.
 * @example
 * ```ts
 * import { migrate } from "@tillkit/postgres";
 * import { openEmbedded, writeSnapshot } from "@tillkit/postgres/pglite";
 *
 * const snapshot = "dist/database.snapshot";
 * const written = await writeSnapshot(snapshot, (sql) => migrate({ sql, schema: "tillkit" }));
 * if (written.isErr()) throw new Error(written.error.name);
 * const opened = await openEmbedded("/var/lib/shop/payments", { snapshot });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/embedded-database.md |
 *   The embedded database}
 */
export function writeSnapshot<F>(
  file: string,
  prepare: (sql: SqlClient) => ResultAsync<unknown, F>,
): ResultAsync<void, EmbeddedFailure | SnapshotFailure | F> {
  return new ResultAsync(targetOf(file).then((path) => write(path, prepare)));
}

/** Returns the path to replace. If `file` is a symbolic link, this is its target. */
function targetOf(file: string): Promise<string> {
  return realpath(file).catch(() => resolve(file));
}

async function write<F>(
  path: string,
  prepare: (sql: SqlClient) => ResultAsync<unknown, F>,
): Promise<Result<void, EmbeddedFailure | SnapshotFailure | F>> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const opened = await openEmbedded(unfinished);
    if (opened.isErr()) return err(opened.error);
    const prepared = await prepareAndClose(opened.value, prepare);
    if (prepared.isErr()) return err(prepared.error);
    const draft = join(unfinished, "snapshot");
    await writeFile(draft, packFolder(join(unfinished, "database")));
    await rename(draft, path);
    return ok(undefined);
  } catch (cause) {
    const why = isError(cause) ? cause.message : String(cause);
    return err({
      name: "snapshot.not-written",
      message: `The snapshot ${path} was not written (${why}).`,
      cause,
    });
  } finally {
    // `rm` rejects if the folder could not be created. The result already contains this failure.
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Prepares and closes the database. A closed database has no log to replay, so it opens fast. */
async function prepareAndClose<F>(
  sql: SqlClient,
  prepare: (sql: SqlClient) => ResultAsync<unknown, F>,
): Promise<Result<unknown, F>> {
  try {
    const prepared = await prepare(sql);
    for (const name of TEMPLATES) {
      await sql.script(`alter database ${name} is_template false`);
      await sql.script(`drop database ${name}`);
    }
    return prepared;
  } finally {
    await sql.close();
  }
}
