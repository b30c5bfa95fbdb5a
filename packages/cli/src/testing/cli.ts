import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type LocalPostgres, startPostgres } from "@tillkit/local-postgres";
import { pgClient, type SqlClient } from "@tillkit/postgres";
import { systemClock } from "@tillkit/runtime";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import type { Io } from "../io.js";
import { run } from "../run.js";
import { installedWallets } from "../wallets.js";

/** The exit code and output of one run of the program. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The parsed document on standard output, for a run with `--json`. */
  readonly json: unknown;
}

/** An environment to run the program in: its own folder, and its own schema on the test server. */
export interface Place {
  readonly folder: string;
  readonly schema: string;
  readonly env: Readonly<Record<string, string>>;
  /** Queries as the server's superuser. */
  readonly sql: SqlClient;
  /** Runs the program in this process. */
  readonly tillkit: (argv: readonly string[], io?: Partial<Io> & { readonly input?: string }) => Promise<Ran>;
  /** Runs the program with `--json` and returns the document. Asserts that it exits with `code`. */
  readonly ask: (
    argv: readonly string[],
    io?: Partial<Io> & { readonly input?: string; readonly code?: number },
  ) => Promise<unknown>;
  /** Writes a file into the folder and returns its path. */
  readonly file: (name: string, content: string) => Promise<string>;
}

/** Timeouts that a busy machine does not reach. */
const PATIENT = { statementMs: 120_000, idleInTransactionMs: 120_000, connectMs: 120_000 };

/** Registers a function that removes an environment later, such as `onTestFinished`. */
type AtEnd = (remove: () => Promise<void>) => void;

/** The server of the tests of this file. */
let server: LocalPostgres | undefined;
const databaseUrl = (): string => server?.url ?? inject("databaseUrl");

/**
 * Runs the tests of this file on a server of their own, whose data survives a failure of the
 * machine.
 */
export function useDurableServer(): void {
  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: "on", full_page_writes: "on" } });
  });
  afterAll(async () => {
    await server?.stop();
    server = undefined;
  });
}

/** Opens a fresh environment and removes it after the test. */
export async function openPlace(atEnd: AtEnd = onTestFinished): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-cli-"));
  const schema = `cli_${randomBytes(6).toString("hex")}`;
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl(), max: 2 }), PATIENT);
  atEnd(async () => {
    await sql.script(`drop schema if exists ${schema} cascade`);
    await sql.close();
    await rm(folder, { recursive: true });
  });
  const env = {
    DATABASE_URL: databaseUrl(),
    TILLKIT_SCHEMA: schema,
    TILLKIT_KEYS_FILE: join(folder, "keys.json"),
  };
  const tillkit: Place["tillkit"] = async (argv, { input = "", ...io } = {}) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const output = Promise.all([text(stdout), text(stderr)]);
    const code = await run(argv, {
      stdin: Readable.from([input]),
      stdout,
      stderr,
      env,
      clock: systemClock,
      openWallets: installedWallets,
      databaseTimeouts: PATIENT,
      ...io,
    });
    stdout.end();
    stderr.end();
    const [out, err] = await output;
    return { code, stdout: out, stderr: err, json: argv.includes("--json") ? JSON.parse(out) : undefined };
  };
  return {
    folder,
    schema,
    env,
    sql,
    tillkit,
    ask: async (argv, { code = 0, ...io } = {}) => {
      const ran = await tillkit([...argv, "--json"], io);
      expect(ran).toMatchObject({ code });
      return ran.json;
    },
    file: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, content, { mode: 0o600 });
      return path;
    },
  };
}

/** Opens a fresh environment with a key file and a migrated schema. */
export async function openHost(atEnd?: AtEnd): Promise<Place> {
  const place = await openPlace(atEnd);
  await place.ask(["keys", "create"]);
  await place.ask(["migrate"]);
  return place;
}

/**
 * Opens one environment like {@link openHost} for tests that do not depend on each other's changes.
 *
 * Call it in a file or a suite, and the returned function in a test. A migration takes longer than
 * most tests.
 */
export function sharedHost(): () => Place {
  let place: Place | undefined;
  const removals: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    place = await openHost((remove) => void removals.push(remove));
  });
  afterAll(async () => {
    for (const remove of removals) await remove();
  });
  return () => place ?? expect.fail("The environment did not open.");
}

/**
 * Opens one environment like {@link openHost} whose tables are emptied for each test.
 *
 * Call it in a file or a suite, and the returned function once in a test. For tests that change
 * neither the schema nor the key file.
 */
export function emptiedHost(): () => Promise<Place> {
  const shared = sharedHost();
  return async () => {
    const place = shared();
    await place.sql.script(
      `do $$ declare name text; begin
         for name in select format('%I.%I', schemaname, tablename) from pg_tables
           where schemaname = '${place.schema}' and tablename <> 'schema_migrations'
         loop execute 'delete from ' || name; end loop;
       end $$`,
    );
    return place;
  };
}
