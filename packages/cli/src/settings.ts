import { Command, Option } from "@commander-js/extra-typings";
import { err, ok, type Result } from "neverthrow";
import { developmentHostHint } from "./development-host.js";
import { type CliFailure, usage } from "./failure.js";
import type { Io } from "./io.js";
import type { DevGateways } from "./wallets.js";

/** Creates a command that only groups other commands. */
export function groupCommand(name: string) {
  return new Command(name).helpCommand(false);
}

/** Creates a command without options for a database or a key file. */
export function plainCommand(name: string) {
  return new Command(name).option("--json", "print the result or the error as one JSON document");
}

/** Creates a command with the options that select the database. */
export function databaseCommand(name: string) {
  return plainCommand(name)
    .option(
      "--database-url <url>",
      "PostgreSQL server, postgres://user:password@host/database (or DATABASE_URL)",
    )
    .option("--data-dir <folder>", "folder of an embedded database (or DATA_DIR)")
    .option("--schema <name>", 'schema that contains the tables (or TILLKIT_SCHEMA; default: "tillkit")');
}

/** The option that selects the policy file. */
export const POLICY_OPTION = [
  "--policy-file <file>",
  "policy file of the hosts (or TILLKIT_POLICY_FILE; default: the default policy)",
] as const;

/** The options that replace the gateways of DEV pay tools. */
export const GATEWAY_OPTIONS = [
  [
    "--wallet-a-gateway <url>",
    "gateway of WeChat Pay for DEV pay tools, such as a sandbox (or TILLKIT_WALLET_A_GATEWAY)",
  ],
  [
    "--wallet-b-gateway <url>",
    "gateway of Alipay for DEV pay tools (or TILLKIT_WALLET_B_GATEWAY; default: Alipay's sandbox)",
  ],
] as const;

/** The options of a command that the audit log records. */
export const AUDIT_OPTIONS = [
  [
    "--operator <name>",
    "your name, for the audit log (or TILLKIT_OPERATOR; default: your user name on this machine)",
  ],
  ["--reason <text>", "the reason, for the audit log"],
] as const;

/** The option of a list that prints its table as CSV for a spreadsheet. */
export const CSV_OPTION = ["--csv", "print the list as CSV for a spreadsheet, with amounts in yuan"] as const;

/** The description of `--operator` for commands that store the operator in the order's timeline. */
export const STORED_IN_TIMELINE = "the operator's name, stored in the order's timeline";

/** Creates the option of a command that stores its operator. The environment may supply it. */
export function operatorOption(io: Pick<Io, "env">, description: string) {
  return operatorNamed(io, `${description} (or TILLKIT_OPERATOR)`).makeOptionMandatory();
}

/**
 * Creates the option `--operator` of a command that works with the database or with a server.
 *
 * A server knows the operator. With the database, {@link requiredOperator} makes the option
 * mandatory.
 */
export function sessionOperatorOption(io: Pick<Io, "env">, description: string) {
  return operatorNamed(io, `${description} (or TILLKIT_OPERATOR); a server stores the name of your account`);
}

function operatorNamed({ env }: Pick<Io, "env">, description: string) {
  const { TILLKIT_OPERATOR: name } = env;
  return new Option("--operator <name>", description).default(name === "" ? undefined : name);
}

/** Returns the operator of a command that works with the database. */
export function requiredOperator(operator: string | undefined): Result<string, CliFailure> {
  return operator === undefined
    ? err(usage("The required option '--operator <name>' is missing: set it, or TILLKIT_OPERATOR."))
    : ok(operator);
}

/** Creates a command that also needs the key file and the policy of the hosts. */
export function keyedCommand(name: string) {
  return databaseCommand(name)
    .option("--keys-file <file>", "key file, kept apart from the database (or TILLKIT_KEYS_FILE)")
    .option(...POLICY_OPTION);
}

/** Creates a {@link keyedCommand} that the audit log records. */
export function changingCommand(name: string) {
  return keyedCommand(name)
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1]);
}

/** Creates a command that also calls the wallets. */
export function walletCommand(name: string) {
  return keyedCommand(name)
    .option(...GATEWAY_OPTIONS[0])
    .option(...GATEWAY_OPTIONS[1]);
}

/** The options of {@link databaseCommand}, as the user typed them. */
export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly schema?: string | undefined;
}

/** Where the tables are. */
export type DatabasePlace = { readonly schema: string } & (
  { readonly kind: "server"; readonly url: string } | { readonly kind: "folder"; readonly folder: string }
);

/** Fails if the environment names a server, and no option names a database. */
export function withoutServer(
  { databaseUrl, dataDir }: DatabaseOptions,
  { env }: Pick<Io, "env">,
): Result<void, CliFailure> {
  const isConfigured = databaseUrl !== undefined || dataDir !== undefined;
  return isConfigured || present(env["TILLKIT_SERVER"]) === undefined
    ? ok(undefined)
    : err(
        usage(
          "This command works with the database only, and TILLKIT_SERVER names a server. Unset TILLKIT_SERVER, or name the database with --database-url or --data-dir.",
        ),
      );
}

/** Returns where the tables are. Options override the environment. */
export function placeOf(
  { databaseUrl, dataDir, schema }: DatabaseOptions,
  io: Pick<Io, "env" | "hostFile">,
): Result<DatabasePlace, CliFailure> {
  const { env } = io;
  const isConfigured = databaseUrl !== undefined || dataDir !== undefined;
  const noServer = withoutServer({ databaseUrl, dataDir }, { env });
  if (noServer.isErr()) return err(noServer.error);
  const url = isConfigured ? databaseUrl : present(env["DATABASE_URL"]);
  const folder = isConfigured ? dataDir : present(env["DATA_DIR"]);
  const within = { schema: schema ?? present(env["TILLKIT_SCHEMA"]) ?? "tillkit" };
  if (!isIdentifier(within.schema))
    return err(
      usage(
        "The name of a schema must have 1 to 63 bytes and no null character: correct --schema or TILLKIT_SCHEMA.",
      ),
    );
  if (url !== undefined && folder !== undefined)
    return err(
      usage(
        "Two databases are set. Use either a server (--database-url or DATABASE_URL) or a folder (--data-dir or DATA_DIR), not both.",
      ),
    );
  if (folder !== undefined) return ok({ ...within, kind: "folder", folder });
  if (url === undefined)
    return err(
      usage(
        `No database is set. Set DATABASE_URL (a PostgreSQL server) or DATA_DIR (an embedded database).${developmentHostHint(io)}`,
      ),
    );
  // The message does not repeat the URL, which may contain a password.
  return isServerUrl(url)
    ? ok({ ...within, kind: "server", url })
    : err(
        usage(
          "The database URL must look like postgres://user:password@host:5432/database: correct --database-url or DATABASE_URL.",
        ),
      );
}

/** Returns the path of the key file. The option overrides the environment. */
export function keysFileOf(
  { keysFile }: { readonly keysFile?: string | undefined },
  io: Pick<Io, "env" | "hostFile">,
): Result<string, CliFailure> {
  const file = keysFile ?? present(io.env["TILLKIT_KEYS_FILE"]);
  return file === undefined
    ? err(
        usage(
          `No key file is set. Set TILLKIT_KEYS_FILE or --keys-file. \`tillkit keys create\` creates the file.${developmentHostHint(io)}`,
        ),
      )
    : ok(file);
}

/** Returns the path of the policy file, or `undefined` for the default policy. */
export function policyFileOf(
  { policyFile }: { readonly policyFile?: string | undefined },
  { env }: Pick<Io, "env">,
): string | undefined {
  return policyFile ?? present(env["TILLKIT_POLICY_FILE"]);
}

/** The options of {@link walletCommand} that replace gateways, as the user typed them. */
export interface GatewayCommandOptions {
  readonly walletAGateway?: string | undefined;
  readonly walletBGateway?: string | undefined;
}

/** Returns the gateways of DEV pay tools. Options override the environment. */
export function devGatewaysOf(
  { walletAGateway, walletBGateway }: GatewayCommandOptions,
  { env }: Pick<Io, "env">,
): DevGateways {
  const walletA = walletAGateway ?? present(env["TILLKIT_WALLET_A_GATEWAY"]);
  const walletB = walletBGateway ?? present(env["TILLKIT_WALLET_B_GATEWAY"]);
  return {
    ...(walletA === undefined ? {} : { WALLET_A: walletA }),
    ...(walletB === undefined ? {} : { WALLET_B: walletB }),
  };
}

/** Formats examples for the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}

function present(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** Whether PostgreSQL accepts `text` as the name of a schema or role. */
export function isIdentifier(text: string): boolean {
  const { length } = new TextEncoder().encode(text);
  return length >= 1 && length <= 63 && !text.includes("\u0000");
}

function isServerUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}
