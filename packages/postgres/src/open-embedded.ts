import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { errAsync, ResultAsync } from "neverthrow";
import { type FolderLock, type FolderLockFailure, lockFolder } from "@tillkit/runtime";
import { pgliteClient } from "./pglite-client.js";
import type { SqlClient } from "./sql-client.js";

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
  | { readonly name: "database.unreadable"; readonly message: string; readonly cause: unknown };

/**
 * Opens the database kept in `folder` with PGlite, and makes both when they are missing. One process at a time may have a folder open; the next gets
 * `database.in-use`. A process that was killed holds nothing, and what it committed is there. The folder belongs on a local disk: PGlite leaves writing
 * to the operating system, so that a commit outlives its process but may not outlive a power failure. Closing the client lets go of the folder.
 */
export function openEmbedded(folder: string): ResultAsync<SqlClient, EmbeddedFailure> {
  const path = resolve(folder);
  return lockFolder(path)
    .mapErr(notLocked)
    .andThen((lock) => openLocked(path, lock));
}

function notLocked(failure: FolderLockFailure): EmbeddedFailure {
  return failure.name === "folder.in-use"
    ? { ...failure, name: "database.in-use" }
    : { ...failure, name: "database.folder-unusable" };
}

function openLocked(path: string, lock: FolderLock): ResultAsync<SqlClient, EmbeddedFailure> {
  const opened = ResultAsync.fromThrowable(openDatabase, (cause): EmbeddedFailure => ({
    name: "database.unreadable",
    message: `The database in ${path} did not open (${reason(cause)}). It is damaged or of another version of PostgreSQL: bring back a copy, or move the folder away to begin anew.`,
    cause,
  }))(path);
  return opened
    .map((database): SqlClient => {
      const client = pgliteClient(database);
      return { ...client, close: () => client.close().finally(() => lock.release()) };
    })
    .orElse((failure) => ResultAsync.fromSafePromise(lock.release()).andThen(() => errAsync(failure)));
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
