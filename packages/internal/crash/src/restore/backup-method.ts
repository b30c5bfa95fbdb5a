import { execFile } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type LocalPostgres, startPostgres } from "@tillkit/local-postgres";
import pg from "pg";

const run = promisify(execFile);

/** The names of the two methods. */
export const BACKUP_METHODS = ["base-backup", "dump"] as const;
/** A base backup with archived WAL, or a dump of the database. */
export type BackupMethod = (typeof BACKUP_METHODS)[number];

/** Backs up one server and restores it. */
export interface Backup {
  /** Starts the server that is backed up. */
  start(): Promise<LocalPostgres>;
  /** Backs the server up. What is committed after the promise resolves is not restored. */
  take(server: LocalPostgres): Promise<void>;
  /** Starts another server with the restored data. */
  restore(): Promise<LocalPostgres>;
}

/** The folders of a backup. */
export interface BackupFolders {
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  /** An empty folder for the backup. The server's user must be able to reach it. */
  readonly folder: string;
}

/** Creates a backup by one of the methods. */
export function backupBy(method: BackupMethod, folders: BackupFolders): Backup {
  return method === "dump" ? dump(folders) : baseBackup(folders);
}

/** Restores a base backup to a point in time with the archived WAL. */
function baseBackup({ programs, folder }: BackupFolders): Backup {
  const archive = join(folder, "archive");
  const base = join(folder, "base");
  let target = "";
  return {
    start: async () => {
      await mkdir(archive);
      // The server may run as another user.
      await chmod(archive, 0o777);
      const archive_command = `test ! -f ${archive}/%f && cp %p ${archive}/%f`;
      return startPostgres({ programs, durable: true, settings: { archive_mode: "on", archive_command } });
    },
    take: async ({ url }) => {
      const options = ["--checkpoint=fast", "--wal-method=none", "--no-sync"];
      await run(join(programs, "pg_basebackup"), ["--dbname", url, "--pgdata", base, ...options]);
      target = await timeOf(url);
      await archiveWal(url);
    },
    restore: () =>
      startPostgres({
        programs,
        durable: true,
        baseBackup: base,
        settings: {
          restore_command: `cp ${archive}/%f %p`,
          recovery_target_time: target,
          recovery_target_action: "promote",
        },
      }),
  };
}

/** Restores a dump into an empty server. */
function dump({ programs, folder }: BackupFolders): Backup {
  const file = join(folder, "tillkit.dump");
  return {
    start: () => startPostgres({ programs, durable: true }),
    take: async ({ url }) => {
      const options = ["--format=custom", "--schema=tillkit", "--no-sync"];
      await run(join(programs, "pg_dump"), ["--dbname", url, "--file", file, ...options]);
    },
    restore: async () => {
      const server = await startPostgres({ programs, durable: true });
      await run(join(programs, "pg_restore"), ["--dbname", server.url, "--exit-on-error", file]);
      return server;
    },
  };
}

async function timeOf(url: string): Promise<string> {
  const [row] = await query(url, "select clock_timestamp()::text as value");
  return String(row?.["value"]);
}

/** Ends the current WAL file, and waits until the server has archived it. */
async function archiveWal(url: string): Promise<void> {
  // The recovery must find a transaction after its target time.
  await query(url, "select txid_current()");
  const [row] = await query(url, "select pg_walfile_name(pg_switch_wal()) as value");
  const wanted = String(row?.["value"]);
  const archived = `select coalesce(last_archived_wal >= '${wanted}', false) as value from pg_stat_archiver`;
  for (;;) {
    const [state] = await query(url, archived);
    if (state?.["value"] === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
