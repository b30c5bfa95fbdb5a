import { auditLine, auditProblems, type Outcome, outcomeOf } from "@tillkit/citus/steps";
import { orThrow } from "@tillkit/core";
import { auditLoad, openSharedHosts, playLoad } from "@tillkit/crash/shared-hosts";
import { migrate } from "@tillkit/postgres";

/** The options of {@link runLoad}. */
export interface LoadRunOptions {
  /** The URL of the database for its owner, without PgBouncer. */
  readonly ownerUrl: string;
  /** The URL of the database for the application, behind PgBouncer. */
  readonly pooledUrl: string;
  /** The role of the application. */
  readonly role: string;
  readonly statements: "named" | "unnamed";
  readonly seconds: number;
}

/** The number of customers who buy at the same time. */
const LANES = 16;

/** Runs two hosts under load behind PgBouncer, and compares the stored data afterwards. */
export async function runLoad({
  ownerUrl,
  pooledUrl,
  role,
  statements,
  seconds,
}: LoadRunOptions): Promise<Outcome> {
  const schema = `tillkit_${statements}`;
  const hosts = await openSharedHosts({
    ownerUrl,
    databaseUrl: pooledUrl,
    schema,
    client: { settings: "role", statements },
    querySchedule: [1_000, 2_000, 3_000, 3_600_000],
    prepare: async (sql) => void (await orThrow(migrate({ sql, schema, application: role }))),
  });
  try {
    const end = performance.now() + seconds * 1_000;
    const record = await playLoad(hosts, { lanes: LANES, ending: () => performance.now() > end });
    const audit = await auditLoad(hosts, record);
    const failed = record.failed === 0 ? [] : [`requests failed: ${String(record.failed)}`];
    return outcomeOf(
      [...record.problems.slice(0, 5), ...failed, ...auditProblems(audit)],
      [
        `${String(record.requests)} requests in ${String(seconds)} s, ${String(record.failed)} failed: ${String(record.orders.length)} orders, ${String(record.tokens.length)} logins, ${String(record.reports)} reports`,
        auditLine(audit),
      ],
    );
  } finally {
    await hosts.close();
  }
}
