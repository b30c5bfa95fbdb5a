import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { type FolderLockFailure, lockFolder } from "./folder-lock.js";
import { freeBytes } from "./free-bytes.js";
import { pgliteClient } from "./pglite-client.js";
import type { SqlClient } from "./sql-client.js";
import { noRoom, withRoom } from "./with-room.js";

/** Why a folder's database did not open; `message` is one line for the person who starts the program. */
export type EmbeddedFailure =
  | {
      readonly name: "database.in-use";
      /** The process that has the folder open, and the host or container it runs on. */
      readonly pid: number;
      readonly host: string;
      readonly message: string;
    }
  | { readonly name: "database.folder-unusable"; readonly message: string; readonly cause: unknown }
  | { readonly name: "database.disk-full"; readonly message: string }
  | { readonly name: "database.unreadable"; readonly message: string; readonly cause: unknown };

/** How a folder's database is opened. */
export interface EmbeddedOptions {
  /** Bytes of the disk that the database leaves free; 64 MiB unless told, which is room for the log to grow by between two looks at the disk. */
  readonly reserveBytes?: number;
}

const RESERVE = 64 * 2 ** 20;
/** What a new database takes, rounded up. */
const NEW_DATABASE = 64 * 2 ** 20;

/**
 * Opens the database kept in `folder` with PGlite, and makes both when they are missing. One process at a time may have a folder open; the next gets
 * `database.in-use`. A process that was killed holds nothing, and what it committed is there. The folder belongs on a local disk: PGlite leaves writing
 * to the operating system, so that a commit outlives its process but may not outlive a power failure. Closing the client lets go of the folder.
 *
 * On a disk that is nearly full it answers what only reads, and refuses to write until there is room again.
 */
export function openEmbedded(
  folder: string,
  { reserveBytes = RESERVE }: EmbeddedOptions = {},
): ResultAsync<SqlClient, EmbeddedFailure> {
  const path = resolve(folder);
  return lockFolder(path)
    .mapErr(notLocked)
    .andThen((lock) =>
      roomIn(path, reserveBytes)
        .andThen(() => openLocked(path))
        .map((client): SqlClient => {
          const guarded = withRoom(client, { freeBytes: () => freeBytes(path), reserveBytes });
          return { ...guarded, close: () => client.close().finally(() => lock.release()) };
        })
        .orElse((failure) => ResultAsync.fromSafePromise(lock.release()).andThen(() => errAsync(failure))),
    );
}

/** Opening writes, and making a database more so. */
function roomIn(path: string, reserveBytes: number): ResultAsync<void, EmbeddedFailure> {
  const needed = reserveBytes + (existsSync(join(path, "database")) ? 0 : NEW_DATABASE);
  return ResultAsync.fromThrowable(freeBytes, (cause): EmbeddedFailure => ({
    name: "database.folder-unusable",
    message: `How much room there is in ${path} could not be told (${reason(cause)}).`,
    cause,
  }))(path).andThen((free): ResultAsync<void, EmbeddedFailure> =>
    free < needed
      ? errAsync({ name: "database.disk-full", message: noRoom(free, needed) })
      : okAsync(undefined),
  );
}

function notLocked(failure: FolderLockFailure): EmbeddedFailure {
  return failure.name === "folder.in-use"
    ? { ...failure, name: "database.in-use" }
    : { ...failure, name: "database.folder-unusable" };
}

function openLocked(path: string): ResultAsync<SqlClient, EmbeddedFailure> {
  return ResultAsync.fromThrowable(openDatabase, (cause): EmbeddedFailure => ({
    name: "database.unreadable",
    message: `The database in ${path} did not open (${reason(cause)}). It is damaged or of another version of PostgreSQL: bring back a copy, or move the folder away to begin anew.`,
    cause,
  }))(path).map(pgliteClient);
}

/** Making a database takes seconds. One that was interrupted in them holds nothing yet, but looks as if it did: it is made again. */
async function openDatabase(path: string): Promise<PGlite> {
  const database = join(path, "database");
  const unfinished = join(path, "unfinished");
  if (existsSync(unfinished)) await rm(database, { recursive: true, force: true });
  else if (existsSync(database)) return PGlite.create(database);
  await writeFile(unfinished, "");
  const made = await PGlite.create(database);
  await rm(unfinished);
  return made;
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
