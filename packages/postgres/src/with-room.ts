import type { SqlClient, SqlQueries } from "./sql-client.js";

/** How much room a disk has. */
export interface RoomOptions {
  /** Bytes that can still be written. */
  readonly freeBytes: () => Promise<number>;
  /** Bytes that are never used up. */
  readonly reserveBytes: number;
}

/** For how long a look at the disk counts, in milliseconds. */
const LOOK_AGAIN = 100;

/**
 * A client that refuses to write when less than the reserve is free, with PostgreSQL's own code for a full disk, and goes on by itself once there is room.
 * PGlite never returns from a write to its log that finds no room, and the whole process stands still with it: it must not get there. Statements
 * that only select are let through.
 */
export function withRoom(client: SqlClient, { freeBytes, reserveBytes }: RoomOptions): SqlClient {
  let looked: { readonly at: number; readonly free: Promise<number> } | undefined;
  const mayWrite = async (): Promise<void> => {
    const now = performance.now();
    if (looked === undefined || now - looked.at >= LOOK_AGAIN) looked = { at: now, free: freeBytes() };
    const free = await looked.free;
    if (free < reserveBytes) throw new DiskFull(noRoom(free, reserveBytes));
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
    ...queriesOf(client),
    transaction: async (work, options) => {
      await mayWrite();
      return client.transaction((queries) => work(queriesOf(queries)), options);
    },
    close: () => client.close(),
  };
}

/** PostgreSQL's error for a disk without room. */
class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "53100";
}

/** What to tell whoever looks after the disk. */
export function noRoom(free: number, needed: number): string {
  return `Only ${megabytes(free)} MB of the disk are free, and the database writes no more below ${megabytes(needed)} MB: make room, and it goes on by itself.`;
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
