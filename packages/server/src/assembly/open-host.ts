import { defaultPolicy, type Observer, type Policy } from "@tillkit/core";
import { isStorageFailure, type StorageFailure } from "@tillkit/core/errors";
import type { Mounts, Surface } from "@tillkit/core/http";
import { walletCallFigures } from "@tillkit/dashboard";
import type { Tillkit } from "@tillkit/host";
import { observeHost, observeRecord, tracePorts, traceSteps } from "@tillkit/opentelemetry";
import { checkSchema, postgresStores, type SchemaFailure, type UnreadableRow } from "@tillkit/postgres";
import { type Keyring, readKeyring, readPolicy, systemClock } from "@tillkit/runtime";
import { type Sandbox, setSandboxPayTools } from "@tillkit/sandbox";
import { err, ok, okAsync, type Result } from "neverthrow";
import type { Config } from "../config.js";
import { describeError } from "../log/describe-error.js";
import { logSimulation } from "../log/log-simulation.js";
import type { Logger } from "../log/logger.js";
import { hostObserver } from "../log/observer.js";
import { logRequests, logSteps } from "../log/request-log.js";
import type { HostDatabase, HostOptions } from "../options.js";
import { startFailure } from "../process/start-failure.js";
import { openSmsCarriers } from "../sms/sms-carriers.js";
import { observePool } from "../telemetry/observe-pool.js";
import { observeProcess } from "../telemetry/process-metrics.js";
import { openTelemetry, type Telemetry } from "../telemetry/telemetry.js";
import { apiSurfaces, assembleTillkit, type Parts } from "./assemble.js";
import { openDashboard } from "./open-dashboard.js";
import { keyProblem } from "./key-problem.js";
import { openStorage, type Storage } from "./storage.js";
import { openWallets } from "./wallets.js";

/** A host without its servers. Its background tasks do not run yet. */
export interface OpenHost {
  readonly tillkit: Tillkit;
  /** What callers and wallets reach, by mount point. */
  readonly surfaces: Mounts;
  /** The operators' page. */
  readonly dashboard: Surface | undefined;
  /** Simulates the wallets, if they are not the real ones. */
  readonly sandbox: Sandbox | undefined;
  readonly database: HostDatabase;
  /** Collects the metrics, in the text format of Prometheus. */
  metricsText(): Promise<string>;
  /** Ends the event streams of open pages, which would keep their connections open. */
  endStreams(): void;
  /** Closes wallets, database and telemetry. Call it after the last request and task have ended. */
  release(): Promise<void>;
}

/** Opens a host, or returns in one line why it did not start. The line contains no secret. */
export async function openHost(
  config: Config,
  logger: Logger,
  options: HostOptions,
): Promise<Result<OpenHost, string>> {
  if (options.smsSender !== undefined && (config.sms ?? config.smsCarriersFile) !== undefined)
    return err("The option smsSender is set: remove SMS_GATEWAY_URL and SMS_CARRIERS_FILE, or the option.");
  const keyring = await readKeyring(config.keyringFile);
  if (keyring.isErr()) return err(keyring.error.message);
  const { policyFile } = config;
  const policy = await (policyFile === undefined ? okAsync(defaultPolicy) : readPolicy(policyFile));
  if (policy.isErr()) return err(policy.error.message);
  const storage = openStorage(config.database);
  const problem = await databaseProblem(storage, config, keyring.value);
  const files = { keyring: keyring.value, policy: policy.value };
  if (problem === undefined) return openOn(storage, config, logger, options, files);
  await storage.close();
  return err(problem);
}

/** Returns why the host cannot run on the database, in one line. */
function databaseProblem(
  { probe: sql }: Storage,
  { database: { schema }, keyringFile }: Config,
  { credentialKeys }: Keyring,
): Promise<string | undefined> {
  return checkSchema(sql, schema)
    .andThen(() => keyProblem({ sql, schema, credentialKeys }, keyringFile))
    .match((problem) => problem, describeProblem);
}

/** What the host read from its files. */
interface Files {
  readonly keyring: Keyring;
  readonly policy: Policy;
}

async function openOn(
  storage: Storage,
  config: Config,
  logger: Logger,
  { observer, smsSender, backgroundTasks = {}, ...own }: HostOptions,
  { keyring, policy }: Files,
): Promise<Result<OpenHost, string>> {
  const telemetry = openTelemetry(config);
  const opened: (() => Promise<void>)[] = [() => telemetry.close(), () => storage.close()];
  const release = async (): Promise<void> => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    const { meter } = telemetry;
    observeProcess(meter);
    observePool(meter, storage.pool);
    const observers = withOwnObserver(hostObserver(logger, meter), observer, logger);
    const walletCalls = walletCallFigures({ now: Date.now }, observers);
    const wallets = await openWallets(config, walletCalls);
    opened.push(() => wallets.close());
    const sms = await openSmsCarriers(config.smsCarriersFile, {
      clock: systemClock,
      observer: walletCalls,
    });
    const sender = smsSender ?? sms?.smsSender;
    const onUnreadable = (row: UnreadableRow): void =>
      logger.error(row, "a stored row cannot be read, and the list omits it");
    const { sandbox } = wallets;
    const appsAtSandbox = new Set<string>();
    const setPayTools = (simulated: Sandbox) => setSandboxPayTools(tillkit.ports, simulated, appsAtSandbox);
    const tillkit = assembleTillkit(config, {
      ...own,
      backgroundTasks: {
        ...(sandbox && {
          "sandbox-pay-tools": { step: () => setPayTools(sandbox).map(() => NOTHING_MORE), everyMs: 2_000 },
        }),
        ...backgroundTasks,
      },
      storage,
      keyring,
      policy,
      wallets,
      observer: walletCalls,
      onUnreadable,
      steps: tracedSteps(logger, telemetry),
      ...(sender && { smsSender: sender }),
    });
    const { ports } = tillkit;
    const { credentialKeys } = keyring;
    const { schema } = config.database;
    const apps =
      sandbox &&
      (await setPayTools(sandbox)).match(
        (count) => count,
        (failure) => {
          logger.warn(
            { failure: failure.name },
            "the pay tools of the sandbox were not set: a background task tries again",
          );
          return 0;
        },
      );
    logSimulation(config, apps, logger);
    const probed = postgresStores({ sql: storage.probe, schema, credentialKeys });
    observeHost(tillkit, { meter });
    observeRecord({ ...ports, ...probed }, { meter, timeoutMs: config.probeDeadline });
    const ending = new AbortController();
    const dashboard = openDashboard(ports, config.dashboard, walletCalls, ending.signal);
    return ok({
      tillkit,
      surfaces: apiSurfaces(ports, config.api, logger, telemetry, sms?.receipts),
      dashboard: dashboard && logRequests(dashboard, logger),
      sandbox,
      database: { sql: storage.sql, schema },
      metricsText: () => telemetry.metricsText(),
      endStreams: () => {
        ending.abort();
      },
      release,
    });
  } catch (thrown) {
    await release();
    return err(startFailure(thrown));
  }
}

const NOTHING_MORE = { more: false } as const;

/** Returns an observer that also passes each event to the observer of the options. */
function withOwnObserver(observer: Observer, own: Observer | undefined, logger: Logger): Observer {
  if (own === undefined) return observer;
  return {
    onEvent: (event) => {
      observer.onEvent(event);
      try {
        own.onEvent(event);
      } catch (thrown) {
        logger.error({ event: event.type, err: thrown }, "the observer of the options threw");
      }
    },
  };
}

/** Adds a trace id to the log lines of background tasks. All spans of one step share a trace. */
function tracedSteps(logger: Logger, { tracer }: Pick<Telemetry, "tracer">): NonNullable<Parts["steps"]> {
  if (tracer === undefined) return { aroundStep: logSteps(logger) };
  return {
    aroundStep: logSteps(logger, traceSteps({ tracer })),
    wrapPorts: (ports) => tracePorts(ports, { tracer }),
  };
}

function describeProblem(failure: SchemaFailure | StorageFailure): string {
  if (!isStorageFailure(failure)) return failure.message;
  if (failure.name === "storage.misconfigured") return failure.remedy;
  const { type, code, message } = describeError(failure.cause);
  return `The database at DATABASE_URL cannot be queried: ${message ?? code ?? type}.`;
}
