import { defaultPolicy, type Policy } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { inspectNodes, inspectSchema } from "@tillkit/postgres";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { accountProblems } from "./account-problems.js";
import { type Database, withAnyDatabase } from "./database.js";
import { type CliFailure, coreFailure, databaseFailure, usage } from "./failure.js";
import { type Finding, isIncomplete } from "./doctor-finding.js";
import type { Io } from "./io.js";
import type { Matter } from "./matters.js";
import { openMatters } from "./open-matters.js";
import { doubledNumbers, orderProblems, type SampledOrders } from "./order-problems.js";
import { type KeyedOptions, keysOf, policyOf } from "./ports.js";
import { simulatedWallets } from "./simulated-wallets.js";
import { connectionProblems, writeProblems } from "./write-problems.js";
import { devGatewaysOf, type GatewayCommandOptions, isIdentifier, keysFileOf } from "./settings.js";

/** What was checked, and what was found. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** What was not checked, and why. */
  readonly skipped: readonly string[];
  /** How many orders were compared with their timelines: a sample. */
  readonly orders: number;
  /** What waits for a person, according to the database. It is no problem of the installation. */
  readonly waiting: readonly Matter[];
  /** What is right in development, and wrong in production. */
  readonly notes: readonly string[];
}

/** What the examination of one part found. */
type PartOfExamination = Omit<Examination, "orders" | "waiting" | "notes">;

/** What `doctor` cannot check. */
const NEVER_CHECKED = [
  "whether the wallets accept the credentials, and whether their clocks agree with this machine's: run `tillkit pay-tools check`",
  "how much space the disk of the database still has; a full disk is a finding",
];

/** What to examine. */
export interface ExamineOptions extends KeyedOptions, GatewayCommandOptions {
  /** The role that the hosts connect as. Without it, grants are not checked. */
  readonly application?: string | undefined;
  /** Whether to connect to each node of a Citus cluster. */
  readonly directNodes?: true | undefined;
}

/** The oldest PostgreSQL version that Tillkit supports. */
const OLDEST_SERVER = 15;
/** The accepted difference between the clocks of this machine and the database, in milliseconds. */
const CLOCK_TOLERANCE = 2_000;

const SERVER = {
  name: "doctor_server",
  text: `select current_setting('server_version_num') as version,
    floor(extract(epoch from clock_timestamp()) * 1000)::text as now,
    -- PGlite, which emcc compiled, has no fsync: its snapshots are durable instead.
    version() like '%emcc%' or current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
      as durable`,
};
const serverRow = z.object({ version: z.coerce.number(), now: z.coerce.number(), durable: z.boolean() });

/**
 * Checks everything that a host needs in the database that the options select.
 *
 * Writes only the row of the readiness check. All other checks only read.
 */
export function examine(io: Io, options: ExamineOptions): ResultAsync<Examination, CliFailure> {
  if (options.application !== undefined && !isIdentifier(options.application))
    return errAsync(
      usage("The name of a role must have 1 to 63 bytes and no null character: correct --application."),
    );
  return withAnyDatabase(io, options, (database) => new ResultAsync(examineDatabase(io, options, database)))
    .orElse(unreachable)
    .map((examination) => {
      const { notes, findings } = simulatedWallets(io, options);
      return {
        ...examination,
        notes: [...notes, ...examination.notes],
        findings: [...findings, ...examination.findings],
      };
    });
}

/** A database that cannot be opened or queried is a finding, not a failure of the command. */
function unreachable(problem: CliFailure): Result<Examination, CliFailure> {
  if (problem.exitReason !== "unavailable") return err(problem);
  const finding: Finding = {
    kind: "connection",
    subject: "database",
    message: problem.message,
    fix:
      problem.name.startsWith("storage.") && problem.name !== "storage.unavailable"
        ? "Do what the message says. Every request to a host with this role fails in the same way."
        : "Start the database, or correct DATABASE_URL or DATA_DIR.",
  };
  const skipped = ["everything in the database: the connection failed"];
  return ok({ findings: [finding], skipped, orders: 0, waiting: [], notes: [] });
}

async function examineDatabase(
  io: Io,
  options: ExamineOptions,
  database: Database,
): Promise<Result<Examination, CliFailure>> {
  const { application } = options;
  const server = await ResultAsync.fromPromise(serverFindings(io, database, application), databaseFailure);
  if (server.isErr()) return err(server.error);
  const grantsOf = application === undefined ? {} : { application };
  const schema = await inspectSchema(database.sql, database.schema, grantsOf).mapErr(coreFailure);
  if (schema.isErr()) return err(schema.error);
  const nodes = await examineNodes(options, database).mapErr(coreFailure);
  if (nodes.isErr()) return err(nodes.error);
  const policy = await examinePolicy(io, options);
  if (policy.isErr()) return err(policy.error);
  const credentials = await examineCredentials(io, options, database, schema.value, policy.value.policy);
  if (credentials.isErr()) return err(credentials.error);
  const orders = await examineOrders(database, schema.value);
  if (orders.isErr()) return err(orders.error);
  const writes = await examineWrites(io, options, database, schema.value);
  if (writes.isErr()) return err(writes.error);
  const matters = await openMatters(io, options, database, schema.value);
  if (matters.isErr()) return err(matters.error);
  const checked = [credentials.value, orders.value, writes.value];
  return ok({
    orders: orders.value.compared,
    waiting: matters.value.waiting,
    notes: credentials.value.notes,
    findings: [
      ...server.value,
      ...schema.value,
      ...nodes.value.findings,
      ...policy.value.findings,
      ...checked.flatMap(({ findings }) => findings),
    ],
    skipped: [
      ...(application === undefined ? ["grants: set --application to the role that hosts connect as"] : []),
      ...nodes.value.skipped,
      ...checked.flatMap(({ skipped }) => skipped),
      ...matters.value.skipped,
      ...NEVER_CHECKED,
    ],
  });
}

function examineNodes(
  { directNodes }: ExamineOptions,
  { sql, openNode }: Database,
): ResultAsync<PartOfExamination, StorageFailure> {
  if (directNodes === undefined) return okAsync({ findings: [], skipped: [] });
  if (openNode === undefined)
    return okAsync({ findings: [], skipped: ["nodes: an embedded database has none"] });
  return inspectNodes(sql, openNode).map((findings) => ({
    findings: findings ?? [],
    skipped: findings === undefined ? ["nodes: the server has no Citus"] : [],
  }));
}

/** Writes as a host does, if the tables are there. */
function examineWrites(
  { clock }: Io,
  { application }: ExamineOptions,
  database: Database,
  schema: readonly Finding[],
): ResultAsync<PartOfExamination, CliFailure> {
  if (isIncomplete(schema))
    return okAsync({ findings: [], skipped: ["a write: a migration or a table is missing"] });
  return ResultAsync.fromPromise(writeProblems(database, clock.now(), application), databaseFailure);
}

async function serverFindings(
  { clock }: Io,
  { sql }: Pick<Database, "sql">,
  application: string | undefined,
): Promise<readonly Finding[]> {
  // The first query also opens the connection. Its delay would look like a clock difference.
  await sql.query(SERVER, []);
  const sentAt = clock.now();
  const [row] = await sql.query(SERVER, []);
  const receivedAt = clock.now();
  const { version, now, durable } = serverRow.parse(row);
  const major = Math.floor(version / 10_000);
  const difference = Math.round(now - (sentAt + receivedAt) / 2);
  const tolerance = CLOCK_TOLERANCE + (receivedAt - sentAt) / 2;
  return [
    ...(major >= OLDEST_SERVER ? [] : [tooOld(major)]),
    ...(durable ? [] : [NOT_DURABLE]),
    ...(Math.abs(difference) <= tolerance ? [] : [clockSkew(difference)]),
    ...(await connectionProblems({ sql }, application)),
  ];
}

function tooOld(major: number): Finding {
  return {
    kind: "server-too-old",
    subject: "server",
    message: `The server is PostgreSQL ${major}. Tillkit supports version ${OLDEST_SERVER} and newer.`,
    fix: `Upgrade the server to PostgreSQL ${OLDEST_SERVER} or newer.`,
  };
}

const NOT_DURABLE: Finding = {
  kind: "harmful-setting",
  subject: "fsync",
  message: "fsync or full_page_writes is off: a crash of the server's machine can destroy the database.",
  fix: "Run: alter system reset fsync; alter system reset full_page_writes; and restart the server.",
};

/** @param difference - milliseconds that the clock of the database is ahead of this machine's. */
function clockSkew(difference: number): Finding {
  return {
    kind: "clock-skew",
    subject: "clock",
    message: `The database's clock is ${Math.abs(difference)} ms ${difference > 0 ? "ahead of" : "behind"} this machine's clock, so orders and sessions expire too early or too late.`,
    fix: "Synchronise the clocks of both machines with NTP.",
  };
}

function examineCredentials(
  io: Io,
  options: ExamineOptions,
  database: Database,
  schema: readonly Finding[],
  policy: Policy,
): ResultAsync<PartOfExamination & Pick<Examination, "notes">, CliFailure> {
  if (keysFileOf(options, io).isErr())
    return okAsync({
      findings: [],
      skipped: ["wallet credentials: set --keys-file or TILLKIT_KEYS_FILE"],
      notes: [],
    });
  if (schema.some(({ kind, subject }) => kind === "not-migrated" || subject === "pay_tools"))
    return okAsync({ findings: [], skipped: ["wallet credentials: their table is missing"], notes: [] });
  return keysOf(io, options)
    .andThen(({ credentialKeys }) => {
      const wallets = io.openWallets({ clock: io.clock }, devGatewaysOf(options, io));
      const storage = { ...database, credentialKeys };
      const limits = { now: io.clock.now(), policy };
      return accountProblems(storage, wallets.unwrapOr(undefined), limits).map(({ findings, simulated }) => ({
        findings,
        notes: simulated === 0 ? [] : [devPayTools(simulated)],
        skipped: wallets.isOk() ? [] : [`keys inside wallet credentials: ${wallets.error.message}`],
      }));
    })
    .orElse((problem) => ok({ findings: [keyFinding(problem)], skipped: [], notes: [] }));
}

function devPayTools(count: number): string {
  return `Current pay tools with appEnv DEV: ${count}. No customer pays real money with them: see \`tillkit pay-tools list\`.`;
}

/**
 * Compares a sample of the orders with their timelines, and looks for numbers that two orders have.
 */
function examineOrders(
  database: Database,
  schema: readonly Finding[],
): ResultAsync<SampledOrders, CliFailure> {
  if (isIncomplete(schema))
    return okAsync({ findings: [], compared: 0, skipped: ["orders: a migration or a table is missing"] });
  const examined = async (): Promise<SampledOrders> => {
    const sampled = await orderProblems(database);
    const doubled = await doubledNumbers(database);
    return {
      ...sampled,
      findings: [...sampled.findings, ...doubled.findings],
      skipped: [...sampled.skipped, ...doubled.skipped],
    };
  };
  return ResultAsync.fromPromise(examined(), databaseFailure);
}

function examinePolicy(
  io: Io,
  options: ExamineOptions,
): ResultAsync<{ readonly policy: Policy; readonly findings: readonly Finding[] }, CliFailure> {
  return policyOf(io, options)
    .map((policy) => ({ policy, findings: new Array<Finding>() }))
    .orElse(({ name, message }) =>
      ok({
        policy: defaultPolicy,
        findings: [
          {
            kind: name,
            subject: "policy file",
            message,
            fix: "Hosts cannot start with this policy file: correct it, or correct --policy-file.",
          },
        ],
      }),
    );
}

function keyFinding({ name, message }: CliFailure): Finding {
  return {
    kind: name,
    subject: "key file",
    message,
    fix: "Hosts cannot start and credentials cannot be decrypted without the key file: correct --keys-file, or restore the file from a copy.",
  };
}
