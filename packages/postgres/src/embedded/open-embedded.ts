import { isError } from "@tillkit/core/errors";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { type FolderLockFailure, lockFolder } from "./folder-lock.js";
import { unpackFolder } from "./folder-pack.js";
import { freeBytes } from "./free-bytes.js";
import { pgliteClient } from "../client/pglite-client.js";
import type { SqlClient } from "../sql/sql-client.js";
import { diskFullMessage, withDiskReserve } from "./with-disk-reserve.js";

/** The reason why an embedded database did not open. `message` is one line for the operator. */
export type EmbeddedFailure =
  | {
      readonly name: "database.in-use";
      /** The process id of the owner. `host` is its host or container. */
      readonly pid: number;
      readonly host: string;
      readonly message: string;
    }
  | { readonly name: "database.folder-unusable"; readonly message: string; readonly cause: unknown }
  | { readonly name: "database.disk-full"; readonly message: string }
  /** PGlite is not installed. */
  | { readonly name: "database.not-installed"; readonly message: string; readonly cause: unknown }
  | { readonly name: "database.unreadable"; readonly message: string; readonly cause: unknown };

/** The options of {@link openEmbedded}. */
export interface EmbeddedOptions {
  /**
   * The free disk space to keep, in bytes. Defaults to 64 MiB.
   *
   * The default covers the growth of the log between two checks of the disk.
   */
  readonly reserveBytes?: number;
  /**
   * The path of a snapshot that `writeSnapshot` wrote. A new database starts from it.
   *
   * If it is missing or damaged, or if another version of PGlite wrote it, the database is created
   * without it. Ignored if the folder has a database. Migrate the schema in any case.
   */
  readonly snapshot?: string;
}

const RESERVE = 64 * 2 ** 20;
/** The disk space of a new database in bytes, rounded up. */
const NEW_DATABASE = 64 * 2 ** 20;
/**
 * The page cache of the database.
 *
 * PostgreSQL clears the cache at each start: its default of 128 MB takes a fourth of the time to
 * open a database. The operating system caches the files too.
 */
const BUFFERS = "shared_buffers=16MB";

/**
 * Opens the database in `folder` with PGlite. Creates the folder and the database if missing.
 *
 * One process at a time can open a folder. Other processes fail with `database.in-use`. A killed
 * process keeps no lock, and its commits survive. PGlite does not sync to the disk, so a power
 * failure can lose recent commits. The folder must be on a local disk. Closing the client releases
 * the folder.
 *
 * If less than `reserveBytes` are free, the client rejects writes and transactions with the
 * SQLSTATE 53100 (disk full), and still runs single `select` statements. It accepts writes again
 * when enough space is free.
 *
 * @returns the client. Fails with `database.in-use` if another process has the folder open.
 * @example
 * ```ts
 * import { openEmbedded } from "@tillkit/postgres/pglite";
 *
 * const opened = await openEmbedded("/var/lib/shop/payments");
 * if (opened.isErr()) throw new Error(opened.error.message);
 * const sql = opened.value;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/embedded-database.md |
 *   The embedded database}
 */
export function openEmbedded(
  folder: string,
  { reserveBytes = RESERVE, snapshot }: EmbeddedOptions = {},
): ResultAsync<SqlClient, EmbeddedFailure> {
  const path = resolve(folder);
  return ResultAsync.fromPromise(loadPglite(), notInstalled)
    .andThen(() => lockFolder(path).mapErr(notLocked))
    .andThen((lock) =>
      roomIn(path, reserveBytes)
        .andThen(() => openLocked(path, snapshot))
        .map((client): SqlClient => {
          const guarded = withDiskReserve(client, { freeBytes: () => freeBytes(path), reserveBytes });
          return {
            ...guarded,
            close: async () => {
              try {
                await client.close();
              } finally {
                await lock.release();
              }
            },
          };
        })
        .orElse((failure) => ResultAsync.fromSafePromise(lock.release()).andThen(() => errAsync(failure))),
    );
}

/** Checks the free disk space. Opening a database writes, and creating one needs more space. */
function roomIn(path: string, reserveBytes: number): ResultAsync<void, EmbeddedFailure> {
  const needed = reserveBytes + (existsSync(join(path, "database")) ? 0 : NEW_DATABASE);
  return ResultAsync.fromThrowable(freeBytes, (cause): EmbeddedFailure => ({
    name: "database.folder-unusable",
    message: `The free disk space of ${path} could not be read (${reason(cause)}). Choose another folder.`,
    cause,
  }))(path).andThen((free): ResultAsync<void, EmbeddedFailure> =>
    free < needed
      ? errAsync({ name: "database.disk-full", message: diskFullMessage(free, needed) })
      : okAsync(undefined),
  );
}

function notLocked(failure: FolderLockFailure): EmbeddedFailure {
  return failure.name === "folder.in-use"
    ? { ...failure, name: "database.in-use" }
    : { ...failure, name: "database.folder-unusable" };
}

function openLocked(path: string, snapshot: string | undefined): ResultAsync<SqlClient, EmbeddedFailure> {
  return ResultAsync.fromThrowable(openDatabase, (cause): EmbeddedFailure => ({
    name: "database.unreadable",
    message: `The database in ${path} did not open (${reason(cause)}). It is damaged, or another version of PostgreSQL wrote it. Restore a copy, or move the folder away to start with an empty database.`,
    cause,
  }))(path, snapshot).map(pgliteClient);
}

/**
 * Opens the database, or creates it.
 *
 * Creation without a snapshot takes seconds. If a process died while it created the database, this
 * call deletes it and starts again.
 */
async function openDatabase(path: string, snapshot: string | undefined): Promise<PGlite> {
  const database = join(path, "database");
  const unfinished = join(path, "unfinished");
  if (existsSync(unfinished)) await rm(database, { recursive: true, force: true });
  else if (existsSync(database)) return startDatabase(database);
  await writeFile(unfinished, "");
  const made = (await openSnapshot(database, snapshot)) ?? (await startDatabase(database));
  await rm(unfinished);
  return made;
}

/** Creates the database from a snapshot. Returns `undefined` if the snapshot is unusable. */
async function openSnapshot(database: string, snapshot: string | undefined): Promise<PGlite | undefined> {
  const pack = snapshot === undefined ? undefined : await readFile(snapshot).catch(() => undefined);
  if (pack === undefined || !unpackFolder(pack, database)) return undefined;
  try {
    return await startDatabase(database);
  } catch {
    // PostgreSQL refuses the files of another version.
    await rm(database, { recursive: true });
    return undefined;
  }
}

async function startDatabase(database: string): Promise<PGlite> {
  const { PGlite } = await loadPglite();
  return PGlite.create(database, { startParams: [...PGlite.defaultStartParams, "-c", BUFFERS] });
}

/** Loads PGlite. Next.js must not bundle PGlite: it reads its WebAssembly from its own folder. */
function loadPglite() {
  return import(/* webpackIgnore: true */ "@electric-sql/pglite");
}

function notInstalled(cause: unknown): EmbeddedFailure {
  return {
    name: "database.not-installed",
    message: `PGlite cannot be loaded (${reason(cause)}). Run: npm install @electric-sql/pglite`,
    cause,
  };
}

function reason(cause: unknown): string {
  return isError(cause) ? cause.message : String(cause);
}
