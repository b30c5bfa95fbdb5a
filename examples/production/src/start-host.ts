import { defaultPolicy, type Policy, type Ports } from "@tillkit/core";
import { isStorageFailure, type StorageFailure } from "@tillkit/core/errors";
import { observeHost, observeRecord, tracePorts, traceSteps } from "@tillkit/opentelemetry";
import { checkSchema, postgresStores, type SchemaFailure, type UnreadableRow } from "@tillkit/postgres";
import { type Keyring, readKeyring, readPolicy, systemClock } from "@tillkit/runtime";
import { err, ok, okAsync, type Result } from "neverthrow";
import { walletCallFigures } from "@tillkit/dashboard";
import { adminApp } from "./admin-app.js";
import { assembleApp, assembleTillkit, type Parts } from "./assemble.js";
import type { Config } from "./config.js";
import { describeError } from "./describe-error.js";
import { type HttpServer, listen } from "./http-server.js";
import type { Logger } from "./logger.js";
import { openDashboard } from "./open-dashboard.js";
import { observePool } from "./observe-pool.js";
import { hostObserver } from "./observer.js";
import { logRequests, logSteps } from "./request-log.js";
import { observeProcess } from "./process-metrics.js";
import { openSmsCarriers } from "./sms-carriers.js";
import { stopInOrder, type Stopping } from "./shutdown.js";
import { startFailure } from "./start-failure.js";
import { openStorage, type Storage } from "./storage.js";
import { openTelemetry, type Telemetry } from "./telemetry.js";
import { openWallets } from "./wallets.js";

/** A host that serves. */
export interface Host {
  readonly api: HttpServer;
  readonly admin: HttpServer;
  /** For operator actions such as a refund, for which the APIs have no endpoint. */
  readonly ports: Ports;
  /** Starts the shutdown of the host. */
  stop(): Stopping;
}

/** What differs if the host is a worker of a supervisor. */
export interface WorkerOptions {
  /** The socket for the supervisor, instead of the port for operators. */
  readonly adminSocket: string;
  /** Receives the metrics when the last request has been answered. */
  readonly onLastMetrics: (text: string) => void;
}

/** Starts a host, or returns in one line why it did not start. The line contains no secret. */
export async function startHost(
  config: Config,
  logger: Logger,
  worker?: WorkerOptions,
): Promise<Result<Host, string>> {
  const keyring = await readKeyring(config.keyringFile);
  if (keyring.isErr()) return err(keyring.error.message);
  const { policyFile } = config;
  const policy = await (policyFile === undefined ? okAsync(defaultPolicy) : readPolicy(policyFile));
  if (policy.isErr()) return err(policy.error.message);
  const storage = openStorage(config.database);
  const schema = await checkSchema(storage.probe, config.database.schema);
  const secrets = { keyring: keyring.value, policy: policy.value };
  if (schema.isOk()) return serve(config, logger, storage, { ...secrets, worker });
  await storage.close();
  return err(schemaProblem(schema.error));
}

interface Settings {
  readonly keyring: Keyring;
  readonly policy: Policy;
  readonly worker: WorkerOptions | undefined;
}

async function serve(
  config: Config,
  logger: Logger,
  storage: Storage,
  { keyring, policy, worker }: Settings,
): Promise<Result<Host, string>> {
  const opened: (() => Promise<void>)[] = [() => storage.close()];
  try {
    const telemetry = openTelemetry(config);
    opened.push(() => telemetry.close());
    const { meter } = telemetry;
    observeProcess(meter);
    observePool(meter, storage.pool);
    const walletCalls = walletCallFigures({ now: Date.now }, hostObserver(logger, meter));
    const wallets = await openWallets(config, walletCalls);
    opened.push(() => wallets.close());
    const sms = await openSmsCarriers(config.smsCarriersFile, {
      clock: systemClock,
      observer: walletCalls,
    });
    const onUnreadable = (row: UnreadableRow): void =>
      logger.error(row, "a stored row cannot be read, and the list omits it");
    const tillkit = assembleTillkit(config, {
      storage,
      keyring,
      policy,
      wallets,
      observer: walletCalls,
      onUnreadable,
      steps: tracedSteps(logger, telemetry),
      ...(sms && { smsSender: sms.smsSender }),
    });
    const { ports } = tillkit;
    const { credentialKeys } = keyring;
    const probed = postgresStores({ sql: storage.probe, schema: config.database.schema, credentialKeys });
    observeHost(tillkit, { meter });
    observeRecord({ ...ports, ...probed }, { meter, timeoutMs: config.probeDeadline });
    const stopping = new AbortController();
    const dashboard = openDashboard(ports, config.dashboard, walletCalls, stopping.signal);
    // The supervisor is one more proxy in front of a worker.
    const trustProxy = config.admin.trustProxy + (worker === undefined ? 0 : 1);
    const logged = dashboard && logRequests(dashboard, logger);
    const surfaces = { dashboard: logged, sandbox: wallets.control, trustProxy };
    const adminAddress = worker === undefined ? config.admin : { socketPath: worker.adminSocket };
    const admin = await listen(adminApp(tillkit, telemetry, surfaces), adminAddress);
    opened.push(() => admin.close());
    const api = await listen(assembleApp(ports, config.api, logger, telemetry, sms?.receipts), config.api);
    tillkit.start();
    const { drainDelay, shutdownDeadline: tasksDeadline } = config;
    const release = async (): Promise<void> => {
      worker?.onLastMetrics(await telemetry.metricsText());
      await wallets.close();
      await storage.close();
      await telemetry.close();
    };
    return ok({
      api,
      admin,
      ports,
      stop: () => {
        stopping.abort();
        return stopInOrder({ tillkit, api, admin, release, drainDelay, tasksDeadline });
      },
    });
  } catch (thrown) {
    for (const close of opened.reverse()) await close();
    return err(startFailure(thrown));
  }
}

/** Gives the lines of background tasks a trace id, and their spans one trace per step. */
function tracedSteps(logger: Logger, { tracer }: Pick<Telemetry, "tracer">): NonNullable<Parts["steps"]> {
  if (tracer === undefined) return { aroundStep: logSteps(logger) };
  return {
    aroundStep: logSteps(logger, traceSteps({ tracer })),
    wrapPorts: (ports) => tracePorts(ports, { tracer }),
  };
}

function schemaProblem(failure: SchemaFailure | StorageFailure): string {
  if (!isStorageFailure(failure)) return failure.message;
  if (failure.name === "storage.misconfigured") return failure.remedy;
  const { type, code, message } = describeError(failure.cause);
  return `The database at DATABASE_URL cannot be queried: ${message ?? code ?? type}.`;
}
