import type { SqlClient, SqlQueries } from "../sql/sql-client.js";

/** The free space of a disk, and the reserve to keep. */
export interface DiskReserveOptions {
  /** Returns the free bytes of the disk. */
  readonly freeBytes: () => Promise<number>;
  /** The bytes to keep free. */
  readonly reserveBytes: number;
}

/** How long a result of `freeBytes` is reused, in milliseconds. */
const LOOK_AGAIN = 100;

/**
 * Wraps a client so that it rejects writes if less than the reserve is free.
 *
 * A rejected statement fails with 53100, the code of PostgreSQL for a full disk. Single `select`
 * statements still run. Writes succeed again when enough space is free. Without this check, PGlite
 * can block the whole process when its log finds no space.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/embedded-database.md |
 *   The embedded database}
 */
export function withDiskReserve(
  client: SqlClient,
  { freeBytes, reserveBytes }: DiskReserveOptions,
): SqlClient {
  let looked: { readonly at: number; readonly free: Promise<number> } | undefined;
  const mayWrite = async (): Promise<void> => {
    const now = performance.now();
    if (looked === undefined || now - looked.at >= LOOK_AGAIN) looked = { at: now, free: freeBytes() };
    const free = await looked.free;
    if (free < reserveBytes) throw new DiskFull(diskFullMessage(free, reserveBytes));
  };
  const queriesOf = (queries: SqlQueries): SqlQueries => ({
    query: async (statement, values) => {
      if (!/^\s*select\b/i.test(statement.text)) await mayWrite();
      return queries.query(statement, values);
    },
    script: async (text) => {
      await mayWrite();
      await queries.script(text);
    },
  });
  return {
    ...client,
    ...queriesOf(client),
    transaction: async (work, options) => {
      await mayWrite();
      return client.transaction((queries) => work(queriesOf(queries)), options);
    },
  };
}

/** The error of PostgreSQL for a full disk. */
class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "53100";
}

/** Returns the message about the missing disk space for the operator. */
export function diskFullMessage(free: number, needed: number): string {
  return `Only ${megabytes(free)} MB of disk space are free. The database rejects writes below ${megabytes(needed)} MB. Free disk space: writes then succeed again.`;
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
