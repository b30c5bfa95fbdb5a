import { availableParallelism } from "node:os";
import type { AlertChannel, PayChannel } from "@tillkit/core";
import type { ConcurrencyLimits } from "@tillkit/core/http";
import { ALERT_VARIABLES, alertChannelsFrom, type BackgroundOptions } from "@tillkit/host";
import { looksLikeProduction } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";

/** The validated configuration of a host. Times are in milliseconds. */
export interface Config {
  /**
   * How many processes serve. With more than one, the first process only supervises them.
   *
   * Each worker has its own limits, connections and background tasks with the values below.
   */
  readonly workers: number;
  /** How long a worker may be silent. Then the first process kills and replaces it. */
  readonly workerDeadline: number;
  /** Where callers and wallets reach the service. */
  readonly api: Address & {
    readonly trustProxy: number;
    /** Concurrency limits of each of the three surfaces. */
    readonly concurrency: Pick<ConcurrencyLimits, "maxConcurrent" | "maxQueued">;
  };
  /** Where probes and the metrics collector reach the host. Never expose it to the internet. */
  readonly admin: Address & { readonly trustProxy: number };
  /** The public address of `api`, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * The operators' page on `admin`. Absent if it is off.
   *
   * `secure` is false only for plain HTTP on this machine, where some browsers send no cookie that
   * is marked as secure.
   */
  readonly dashboard?: { readonly secure: boolean };
  readonly database: {
    readonly url: string;
    readonly schema: string;
    readonly poolMax: number;
    /** Where PostgreSQL gets its timeouts from. Use `role` behind a transaction-mode pooler. */
    readonly settings: "connection" | "role";
    readonly statements: "named" | "unnamed";
    /** Whether the host also connects to the workers of a Citus cluster. */
    readonly nodes: "coordinator" | "direct";
  };
  readonly keyringFile: string;
  /** Limits and periods that differ from the defaults. `tillkit` reads the same file. */
  readonly policyFile?: string;
  /** WeChat Pay and Alipay, or the sandbox for DEV pay tools. */
  readonly wallets: "live" | "sandbox";
  /** The gateways that DEV pay tools call with `live`, such as a sandbox in its own process. */
  readonly gateways: Readonly<Record<PayChannel, { readonly DEV?: string }>>;
  /** Stores the sandbox's keys and records across restarts. */
  readonly sandboxStateFile?: string;
  /** Whether simulated wallets are probably a mistake. */
  readonly likeProduction: boolean;
  /** The SMS gateway. Without any SMS sender, callers receive 70005 (`sms.not-configured`). */
  readonly sms?: { readonly url: string; readonly token: string; readonly deadline: number };
  /** The file with the SMS carriers and their credentials, instead of a gateway of your own. */
  readonly smsCarriersFile?: string;
  /** The chats that receive alerts. The command `tillkit` reads the same variables. */
  readonly alerts: readonly AlertChannel[];
  /** The address of the dashboard, for the links in alerts. */
  readonly dashboardUrl?: string;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** The collector that receives traces by OTLP over HTTP. Without it the host records none. */
  readonly tracesUrl?: string;
  /** The pauses of the background tasks. */
  readonly background: Required<Pick<BackgroundOptions, "reconcileEveryMs" | "housekeepingEveryMs">>;
  /** How long the database may take to answer a probe. */
  readonly probeDeadline: number;
  /**
   * How long a stopping host still accepts requests while it is not ready.
   *
   * In this time the load balancer notices that the host is not ready.
   */
  readonly drainDelay: number;
  /** How long pending work may take after the drain delay. */
  readonly shutdownDeadline: number;
}

interface Address {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const text = (rule: string) => z.string({ error: rule }).min(1, rule);
const whole = (least: number, most: number, unit: string) => {
  const rule = `must be a whole number${unit === "" ? "" : ` of ${unit}`} from ${least} to ${most}`;
  return z
    .string(rule)
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.int().min(least, rule).max(most, rule));
};
const choice = <const T extends readonly string[]>(names: T) =>
  z.enum(names, `must be ${names.join(" or ")}`);
const address = (rule: string, protocols: readonly string[]) =>
  text(rule).refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), rule);
const GATEWAY_RULE = "must be an https:// address, or an http:// address on 127.0.0.1";
const gateway = address(GATEWAY_RULE, ["https:", "http:"]).refine((value) => {
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || isLoopback(hostname);
}, GATEWAY_RULE);
const port = whole(0, 65_535, "");
const workers = z
  .string()
  .regex(/^(auto|[1-9]\d{0,2})$/, "must be auto or a whole number from 1 to 999")
  .transform((value) => (value === "auto" ? availableParallelism() : Number(value)));

const environment = z.object({
  NODE_ENV: choice(["production", "development", "test"]).default("development"),
  WORKERS: workers.default(1),
  WORKER_DEADLINE_MS: whole(1_000, 3_600_000, "milliseconds").default(30_000),
  HOST: text("must be an address to listen on").default("0.0.0.0"),
  PORT: port.default(8080),
  ADMIN_HOST: text("must be an address to listen on").default("127.0.0.1"),
  ADMIN_PORT: port.default(9090),
  ADMIN_TRUST_PROXY: whole(0, 10, "proxies in front").default(0),
  DASHBOARD: choice(["https", "http", "off"]).default("https"),
  DASHBOARD_URL: address("must be the https address at which operators reach the dashboard", [
    "https:",
    "http:",
  ])
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  PUBLIC_URL: address(
    "must be the https address that callers and wallets use, such as https://pay.example.com",
    ["https:", "http:"],
  ).transform((url) => url.replace(/\/+$/, "")),
  TRUST_PROXY: whole(0, 10, "proxies in front").default(0),
  MAX_CONCURRENT_REQUESTS: whole(1, 100_000, "requests").default(384),
  MAX_QUEUED_REQUESTS: whole(0, 100_000, "requests").default(128),
  DATABASE_URL: address("must be a postgres:// address", ["postgres:", "postgresql:"]),
  TILLKIT_SCHEMA: text("must be the name of the migrated schema").default("tillkit"),
  DATABASE_POOL_MAX: whole(1, 500, "connections").default(10),
  DATABASE_SETTINGS: choice(["connection", "role"]).default("connection"),
  DATABASE_STATEMENTS: choice(["named", "unnamed"]).default("named"),
  DATABASE_NODES: choice(["coordinator", "direct"]).default("coordinator"),
  TILLKIT_KEYS_FILE: text("must be the path of the key file"),
  TILLKIT_POLICY_FILE: text("must be the path of the policy file").optional(),
  WALLETS: choice(["live", "sandbox"]),
  TILLKIT_WALLET_A_GATEWAY: gateway.optional(),
  TILLKIT_WALLET_B_GATEWAY: gateway.optional(),
  SANDBOX_STATE_FILE: text("must be the path of a file").optional(),
  SMS_GATEWAY_URL: address("must be an https:// address", ["https:", "http:"]).optional(),
  SMS_GATEWAY_TOKEN: text("must be the gateway's bearer token")
    .regex(/^[\x21-\x7e]+$/, "must be a bearer token of visible ASCII characters")
    .optional(),
  SMS_GATEWAY_DEADLINE_MS: whole(100, 30_000, "milliseconds").default(5_000),
  SMS_CARRIERS_FILE: text("must be the path of the file with the SMS carriers").optional(),
  LOG_LEVEL: choice(["debug", "info", "warn", "error"]).default("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: address("must be an http:// or https:// address", [
    "https:",
    "http:",
  ]).optional(),
  RECONCILE_EVERY_MS: whole(100, 600_000, "milliseconds").default(5_000),
  HOUSEKEEPING_EVERY_MS: whole(1_000, 86_400_000, "milliseconds").default(600_000),
  PROBE_DEADLINE_MS: whole(10, 60_000, "milliseconds").default(1_000),
  DRAIN_DELAY_MS: whole(0, 120_000, "milliseconds").default(5_000),
  SHUTDOWN_DEADLINE_MS: whole(1, 600_000, "milliseconds").default(20_000),
});

/** The names of all configuration variables. */
export const VARIABLES: readonly string[] = [...Object.keys(environment.shape), ...ALERT_VARIABLES];

/** What a host prints before the problems of its configuration. */
export const WRONG_ENVIRONMENT = "The host did not start, because its environment variables are wrong:";

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 *
 * @returns all problems at once, one line each. No line contains a value, which may be secret.
 */
export function readConfig(variables: Environment): Result<Config, readonly string[]> {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const read = environment.safeParse(given);
  const alerts = alertChannelsFrom(given);
  const wrong = read.success ? [] : read.error.issues;
  const problems = [
    ...wrong.map(({ path, message }) => {
      const name = path.join(".");
      return `${name} ${given[name] === undefined ? "is missing: it " : ""}${message}.`;
    }),
    ...contradictions(given),
    ...alerts.match(
      () => [],
      (lines) => lines,
    ),
  ];
  return read.success && alerts.isOk() && problems.length === 0
    ? ok(configOf(read.data, alerts.value))
    : err(problems);
}

/** Returns the problems of variables that are valid alone, but not together. */
function contradictions(given: Environment): readonly string[] {
  const production = given["NODE_ENV"] === "production";
  const sandbox = given["WALLETS"] === "sandbox";
  const insecure = (name: string) => given[name]?.startsWith("http:") === true;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      sandbox && production,
      "WALLETS must be live if NODE_ENV is production: in the sandbox any caller can mark an order as paid.",
    ],
    [
      sandbox && !["1", undefined].includes(given["WORKERS"]),
      "WORKERS must be 1 if WALLETS is sandbox: the sandbox keeps its payments in one process.",
    ],
    ...["TILLKIT_WALLET_A_GATEWAY", "TILLKIT_WALLET_B_GATEWAY"].map(
      (name) =>
        [
          sandbox && given[name] !== undefined,
          `${name} is for WALLETS=live: with WALLETS=sandbox, DEV pay tools call the sandbox of the host.`,
        ] as const,
    ),
    [
      sandbox && !isLoopback(given["ADMIN_HOST"]),
      "ADMIN_HOST must be 127.0.0.1 if WALLETS is sandbox: the admin port then serves the sandbox controls without a password.",
    ],
    [
      given["DASHBOARD"] === "http" && !isLoopback(given["ADMIN_HOST"]),
      "DASHBOARD must be https unless ADMIN_HOST is 127.0.0.1: otherwise passwords cross the network in plain text.",
    ],
    [production && insecure("PUBLIC_URL"), "PUBLIC_URL must start with https:// if NODE_ENV is production."],
    [
      production && insecure("SMS_GATEWAY_URL"),
      "SMS_GATEWAY_URL must start with https:// if NODE_ENV is production: requests to it contain codes and phone numbers.",
    ],
    [
      hasCredentials(given["SMS_GATEWAY_URL"]),
      "SMS_GATEWAY_URL must not contain a user or a password: the host sends SMS_GATEWAY_TOKEN.",
    ],
    [
      (given["SMS_GATEWAY_URL"] === undefined) !== (given["SMS_GATEWAY_TOKEN"] === undefined),
      "Only one of SMS_GATEWAY_URL and SMS_GATEWAY_TOKEN is set: set both, or neither for a host without SMS login.",
    ],
    [
      given["SMS_GATEWAY_URL"] !== undefined && given["SMS_CARRIERS_FILE"] !== undefined,
      "SMS_GATEWAY_URL and SMS_CARRIERS_FILE are both set: set only one of them.",
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, rule]) => rule);
}

function gatewayOf(address: string | undefined): { readonly DEV?: string } {
  return address === undefined ? {} : { DEV: address };
}

function isLoopback(host = "127.0.0.1"): boolean {
  return ["127.0.0.1", "::1", "localhost"].includes(host);
}

/** Returns whether an address contains a user or a password. `fetch` rejects such an address. */
function hasCredentials(address = ""): boolean {
  return URL.canParse(address) && (new URL(address).username !== "" || new URL(address).password !== "");
}

function configOf(read: z.output<typeof environment>, alerts: readonly AlertChannel[]): Config {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = read;
  const { SANDBOX_STATE_FILE: sandboxStateFile, TILLKIT_POLICY_FILE: policyFile } = read;
  const { SMS_GATEWAY_URL: url, SMS_GATEWAY_TOKEN: token, SMS_CARRIERS_FILE: smsCarriersFile } = read;
  return {
    workers: read.WORKERS,
    workerDeadline: read.WORKER_DEADLINE_MS,
    api: {
      host: read.HOST,
      port: read.PORT,
      trustProxy: read.TRUST_PROXY,
      concurrency: { maxConcurrent: read.MAX_CONCURRENT_REQUESTS, maxQueued: read.MAX_QUEUED_REQUESTS },
    },
    admin: { host: read.ADMIN_HOST, port: read.ADMIN_PORT, trustProxy: read.ADMIN_TRUST_PROXY },
    ...(read.DASHBOARD === "off" ? {} : { dashboard: { secure: read.DASHBOARD === "https" } }),
    publicUrl: read.PUBLIC_URL,
    database: {
      url: read.DATABASE_URL,
      schema: read.TILLKIT_SCHEMA,
      poolMax: read.DATABASE_POOL_MAX,
      settings: read.DATABASE_SETTINGS,
      statements: read.DATABASE_STATEMENTS,
      nodes: read.DATABASE_NODES,
    },
    keyringFile: read.TILLKIT_KEYS_FILE,
    ...(policyFile === undefined ? {} : { policyFile }),
    wallets: read.WALLETS,
    gateways: {
      WALLET_A: gatewayOf(read.TILLKIT_WALLET_A_GATEWAY),
      WALLET_B: gatewayOf(read.TILLKIT_WALLET_B_GATEWAY),
    },
    ...(sandboxStateFile === undefined ? {} : { sandboxStateFile }),
    likeProduction: looksLikeProduction({ nodeEnv: read.NODE_ENV, databaseUrl: read.DATABASE_URL }),
    ...(url === undefined || token === undefined
      ? {}
      : { sms: { url, token, deadline: read.SMS_GATEWAY_DEADLINE_MS } }),
    ...(smsCarriersFile === undefined ? {} : { smsCarriersFile }),
    alerts,
    ...(read.DASHBOARD_URL === undefined ? {} : { dashboardUrl: read.DASHBOARD_URL }),
    logLevel: read.LOG_LEVEL,
    ...(collector === undefined ? {} : { tracesUrl: `${collector.replace(/\/+$/, "")}/v1/traces` }),
    background: {
      reconcileEveryMs: read.RECONCILE_EVERY_MS,
      housekeepingEveryMs: read.HOUSEKEEPING_EVERY_MS,
    },
    probeDeadline: read.PROBE_DEADLINE_MS,
    drainDelay: read.DRAIN_DELAY_MS,
    shutdownDeadline: read.SHUTDOWN_DEADLINE_MS,
  };
}
