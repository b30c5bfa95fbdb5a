import type { ReadinessFailure } from "@tillkit/core/ports";
import { postgresReadinessStore, readinessFailureOf, type SqlQueries } from "@tillkit/postgres";
import { z } from "zod";
import type { Database } from "./database.js";
import type { Finding } from "./doctor-finding.js";
import { reasonOf } from "./failure.js";

/** What the check of the writes and of the connections found. */
export interface WriteExamination {
  readonly findings: readonly Finding[];
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
}

/** Open connections are a finding from this share of their limit on. */
const NEARLY_ALL = 0.9;

/**
 * Writes what the readiness check of a host writes, as the role of the hosts.
 *
 * @param application - the role of the hosts. Absent: the role of this connection.
 */
export async function writeProblems(
  { sql, schema }: Pick<Database, "sql" | "schema">,
  now: number,
  application: string | undefined,
): Promise<WriteExamination> {
  const attempted = await sql
    .transaction(async (transaction): Promise<ReadinessFailure | "written" | "not that role"> => {
      if (application !== undefined && !(await mayBe(transaction, application))) return "not that role";
      const written = await postgresReadinessStore(transaction, schema).write(now);
      return written.isErr() ? written.error : "written";
    })
    .catch(readinessFailureOf);
  if (attempted === "written") return { findings: [], skipped: [] };
  if (attempted !== "not that role") return { findings: [writeFinding(attempted)], skipped: [] };
  return {
    findings: [],
    skipped: [`a write as ${application ?? ""}: this connection may not act as that role`],
  };
}

/** Switches to `role` for the rest of the transaction. Returns false if that is not allowed. */
async function mayBe(transaction: SqlQueries, role: string): Promise<boolean> {
  try {
    await transaction.query(BE_ROLE, [role]);
    return true;
  } catch {
    return false;
  }
}

/** Creates the finding for a write, or a connection, that the database refuses. */
function writeFinding(failure: ReadinessFailure): Finding {
  return {
    kind: failure.name,
    subject: "database",
    message: `The database refuses what every host needs (${reasonOf(failure.cause)}), so hosts are not ready and requests fail.`,
    fix:
      "remedy" in failure
        ? failure.remedy
        : "Repeat the command. If the problem remains, look at the log of the database server.",
  };
}

/** Finds nearly reached limits of connections: of the server, the database and the role. */
export async function connectionProblems(
  { sql }: Pick<Database, "sql">,
  application: string | undefined,
): Promise<readonly Finding[]> {
  const rows = await sql.query(CONNECTIONS, [application ?? null]);
  return rows.flatMap((row): readonly Finding[] => {
    const { subject, used, allowed } = connectionsRow.parse(row);
    if (allowed < 0 || used < allowed * NEARLY_ALL) return [];
    return [
      {
        kind: "few-connections",
        subject,
        message: `${used} of at most ${allowed} connections of ${subject} are open. Beyond the limit, hosts cannot connect and are not ready.`,
        fix: "End connections that nobody uses, lower the number of connections of each host, or raise the limit: max_connections, `alter database … connection limit` or `alter role … connection limit`.",
      },
    ];
  });
}

const BE_ROLE = { name: "doctor_be_role", text: "select pg_catalog.set_config('role', $1::text, true)" };

const CONNECTIONS = {
  name: "doctor_connections",
  text: `with role as (select coalesce($1::text, current_user::text) as name),
    open as (select datname::text as database, usename::text as role from pg_catalog.pg_stat_activity
      where backend_type = 'client backend')
    select 'the server' as subject, (select count(*) from open)::integer as used,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer as allowed
    union all
    select 'the database ' || datname, (select count(*) from open where database = datname)::integer, datconnlimit
    from pg_catalog.pg_database where datname = current_database()
    union all
    select 'the role ' || rolname, (select count(*) from open where open.role = rolname)::integer, rolconnlimit
    from pg_catalog.pg_roles join role on rolname = role.name`,
};
const connectionsRow = z.object({ subject: z.string(), used: z.number(), allowed: z.number() });
