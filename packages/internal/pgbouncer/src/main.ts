import { parseArgs } from "node:util";
import { newStepRunner, runSuites } from "@tillkit/citus/steps";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { pgClient, roleSettingsSql } from "@tillkit/postgres";
import pg from "pg";
import { runLoad } from "./run-load.js";
import { pgBouncerVersion, startPgBouncer } from "./start-pgbouncer.js";

const HELP = `npm run test:system -- pgbouncer [--seconds N]

Starts a PostgreSQL server and PgBouncer in transaction mode, and tests the storage behind it: the contract suites, and two hosts under load. Needs the program pgbouncer. The last line is \`N passed, N failed\`, which counts steps.

  --seconds N   the length of the load (default 15)

With PgBouncer before version 1.21, the client sends unnamed statements. From 1.21 on, every step runs twice: with unnamed and with named statements.
TEST_POSTGRES_PROGRAMS is the folder of the server's programs (default: the programs that npm installed).`;

const ROLE = "tillkit_pooled";
/** Fewer server connections than the hosts open, so that they share them. */
const POOL_SIZE = 8;
const PREPARED_STATEMENTS = 200;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "15" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const version = await pgBouncerVersion();
if (values.help) say(HELP);
else if (!/^[1-9]\d{0,2}$/.test(values.seconds)) refuse("--seconds takes a whole number from 1 to 999.");
else if (version === undefined) refuse("PgBouncer is not installed: install the package pgbouncer.");
else await runAll(version, Number(values.seconds));

async function runAll([major, minor]: readonly [number, number], seconds: number): Promise<void> {
  const steps = newStepRunner(say);
  const { TEST_POSTGRES_PROGRAMS: programs = "" } = process.env;
  const server = await startPostgres({ programs: programs === "" ? undefined : programs });
  try {
    const ownerUrl = await createDatabase(server.url);
    await createRole(ownerUrl);
    const knowsNames = major > 1 || minor >= 21;
    for (const statements of knowsNames ? (["unnamed", "named"] as const) : (["unnamed"] as const)) {
      const bouncer = await startPgBouncer({
        url: urlOf(ownerUrl, ROLE),
        poolSize: POOL_SIZE,
        maxPreparedStatements: statements === "named" ? PREPARED_STATEMENTS : 0,
      });
      const of = `PgBouncer ${String(major)}.${String(minor)}, ${statements} statements`;
      const env = { TEST_PGBOUNCER_URL: bouncer.url, TEST_PGBOUNCER_STATEMENTS: statements };
      await steps.run(`storage suites, ${of}`, () =>
        runSuites(["pgbouncer.test"], { ...env, TEST_DATABASE_URL: ownerUrl }),
      );
      await steps.run(`two hosts under load, ${of}`, () =>
        runLoad({ ownerUrl, pooledUrl: bouncer.url, role: ROLE, statements, seconds }),
      );
      await bouncer.stop();
    }
  } finally {
    await server.stop();
  }
  process.exitCode = steps.finish();
}

/** Creates the application's role with the settings that the client would set otherwise. */
async function createRole(ownerUrl: string): Promise<void> {
  const sql = pgClient(new pg.Pool({ connectionString: ownerUrl, max: 1 }));
  await sql.script(`create role ${ROLE} login password '${ROLE}'`);
  await sql.script(roleSettingsSql(new URL(ownerUrl).pathname.slice(1), ROLE));
  await sql.close();
}

function urlOf(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = role;
  return url.href;
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 2;
}
