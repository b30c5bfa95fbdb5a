import {
  type AlertChannel,
  type Clock,
  defaultPolicy,
  policyProblems,
  type Ports,
  type Random,
  type SmsSender,
  type Stores,
} from "@tillkit/core";
import type { Compressor } from "@tillkit/core/http";
import {
  type Keyring,
  nodeCompressor,
  nodeDigest,
  stderrObserver,
  systemClock,
  systemRandom,
  valueOrTimeout,
} from "@tillkit/runtime";
import { alertTasks } from "./alerts/alert-tasks.js";
import { type BackgroundOptions, type OnStep, startBackground } from "./background.js";
import { eventTaskName, handlerOf, type HandlerOrOptions, wakeOnChanges } from "./event-tasks.js";
import type { CheckStorage, Health, TaskHealth } from "./health.js";
import type { Loop } from "./loop.js";
import { readinessReporter } from "./readiness-reporter.js";
import { reportStep } from "./report-step.js";
import { sharedCheck } from "./shared-readiness-check.js";
import { tillkitVersion } from "./tillkit-version.js";

/** The parts of a host. */
export interface TillkitOptions {
  /** The storage, for example `postgresStores(…)`. */
  readonly stores: Stores;
  /** The adapters of both wallets. */
  readonly wallets: Ports["wallets"];
  /** Sends SMS codes. Without it, callers receive 70005 (`sms.not-configured`). */
  readonly smsSender?: SmsSender;
  /** Decides whether Tillkit may send an SMS code, see `Ports.admitSms`. */
  readonly admitSms?: Ports["admitSms"];
  /**
   * The public address of the host, for example `https://pay.example.com`.
   *
   * The wallets send notifications to `publicUrl` + `notificationsPath`.
   */
  readonly publicUrl: string;
  /** The path at which the notifications surface is mounted. Defaults to `/wallets`. */
  readonly notificationsPath?: string;
  /** The keys of the host, for example from `readKeyring`. */
  readonly keyring: Pick<Keyring, "peppers">;
  /** Limits and periods. Defaults to `defaultPolicy`. */
  readonly policy?: Ports["policy"];
  /**
   * Receives events for logs and metrics.
   *
   * By default, the host writes warnings and alarms to the standard error as JSON lines.
   * `noopObserver` of `@tillkit/runtime` writes nothing.
   */
  readonly observer?: Ports["observer"];
  /**
   * Handlers of the events of orders, such as `order.paid`.
   *
   * A handler receives each event at least once, and the events of one order in sequence. The first
   * start with a handler registers it; the handler receives no earlier events. Each handler is a
   * function with a name, or comes from an adapter. The name of its task is `events:` and its name.
   */
  readonly eventHandlers?: readonly HandlerOrOptions[];
  /**
   * The chats and other receivers that get a message about what needs a person.
   *
   * For example `[feishuChannel({ url, secret })]`. The task of a channel is `alerts:` and its
   * name.
   */
  readonly alerts?: readonly AlertChannel[];
  /**
   * The address at which operators reach the dashboard, for the links in alerts.
   *
   * For example `https://ops.example.com/dashboard`. Without it, alerts have no link.
   */
  readonly dashboardUrl?: string;
  /** When the background tasks run. */
  readonly background?: BackgroundOptions;
  /**
   * The readiness check of the storage, for example `() => checkReadiness(sql, schema)`.
   *
   * Defaults to one write of the readiness store. Concurrent probes share a check, and its result
   * is reused for a second.
   */
  readonly checkStorage?: CheckStorage;
  /** The timeout of the readiness check, in milliseconds. Defaults to 1,000. */
  readonly checkTimeoutMs?: number;
  /** Defaults to the system clock. With a sandbox, pass the clock of the sandbox. */
  readonly clock?: Clock;
  /** Defaults to the random numbers of the system. */
  readonly random?: Random;
  /**
   * Compresses reports and histories for callers that accept it.
   *
   * Defaults to `nodeCompressor()` of `@tillkit/runtime`. Use `"none"` if a proxy compresses.
   */
  readonly compressor?: Compressor | "none";
}

/** A host without its server: mount its ports with a binding. */
export interface Tillkit {
  /** Everything that the surfaces and the functions of `@tillkit/core` need. */
  readonly ports: Ports;
  /** The version of `@tillkit/host`, for logs and metrics. */
  readonly version: string;
  /**
   * Starts the background tasks. A second call changes nothing.
   *
   * Throws an `Error` after {@link Tillkit.stop}: a stopped host stays stopped.
   */
  start(): void;
  /**
   * Runs a task now, or after its current run, until it has no more work.
   *
   * Rejects if no task with this name is running, for example before `start`.
   */
  runNow(task: string): Promise<void>;
  /**
   * Makes the host not ready at once, and ends the background tasks after their current steps.
   *
   * Call it first when a process must end. Then close the server, and last the storage.
   *
   * @param timeoutMs - how long to wait. Defaults to 20,000. A step may wait for a wallet.
   * @returns the names of the tasks whose steps are still running. Ending the process is safe:
   *   another process continues their work.
   */
  stop(timeoutMs?: number): Promise<{ readonly unfinished: readonly string[] }>;
  /** Returns whether the host is ready and how its background tasks are doing. Never rejects. */
  health(): Promise<Health>;
}

/**
 * Assembles a host: ports, background tasks, health and an orderly end.
 *
 * Any number of processes may run the same host on the same storage.
 *
 * @returns the host. Nothing runs before its `start` is called.
 * @throws TypeError if `publicUrl`, `notificationsPath`, `dashboardUrl` or a name of an event
 *   handler or alert channel is not usable. RangeError that names every problem of `policy`, by the
 *   rules of `policyWith`.
 * @example
 * ```ts
 * import { alipayWallet } from "@tillkit/alipay";
 * import { notificationsRouter, paymentsRouter } from "@tillkit/express";
 * import { createTillkit } from "@tillkit/host";
 * import { type SqlClient, postgresStores } from "@tillkit/postgres";
 * import { type Keyring, systemClock as clock, systemRandom as random } from "@tillkit/runtime";
 * import { wechatPayWallet } from "@tillkit/wechat-pay";
 * import express from "express";
 *
 * declare const sql: SqlClient;
 * declare const keyring: Keyring;
 *
 * const tillkit = createTillkit({
 *   stores: postgresStores({ sql, schema: "tillkit", credentialKeys: keyring.credentialKeys }),
 *   wallets: { WALLET_A: wechatPayWallet({ clock, random }), WALLET_B: alipayWallet({ clock }) },
 *   publicUrl: "https://pay.example.com",
 *   keyring,
 * });
 * const app = express();
 * app.use("/pay", paymentsRouter(tillkit.ports));
 * app.use("/wallets", notificationsRouter(tillkit.ports));
 * tillkit.start();
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/host-processes.md |
 *   A host owns its background tasks, and its processes share them}
 */
export function createTillkit(options: TillkitOptions): Tillkit {
  const { background = {}, checkTimeoutMs = 1_000, eventHandlers = [], alerts = [] } = options;
  const handlers = eventHandlers.map(handlerOf);
  const repeated = handlers.find(({ name }, index) => handlers.findIndex((one) => one.name === name) < index);
  if (repeated !== undefined) throw new TypeError(`Two event handlers have the name "${repeated.name}".`);
  let loops: ReadonlyMap<string, Loop> = new Map();
  const wake = (): void => {
    for (const handler of handlers) loops.get(eventTaskName(handler))?.wake();
  };
  const ports = portsOf(options, wake);
  const taskPorts = background.wrapPorts?.(ports) ?? ports;
  const { dashboardUrl } = options;
  const link = dashboardUrl === undefined ? undefined : plainUrl("dashboardUrl", dashboardUrl);
  const alerting = alertTasks(taskPorts, alerts, link, background.alertsEveryMs);
  const { checkStorage = () => ports.readiness.write(ports.clock.now()) } = options;
  const storageFailure = sharedCheck(checkStorage, checkTimeoutMs);
  const reportReadiness = readinessReporter(ports);
  const tasks = new Map<string, TaskHealth>();
  let phase: "new" | "running" | "stopped" = "new";

  const onStep: OnStep = (ended) => {
    const { task, failure } = ended;
    if (failure === undefined) tasks.set(task, { succeededAt: ports.clock.now() });
    else tasks.set(task, { ...tasks.get(task), failure: failure.name });
    reportStep(taskPorts, ended);
  };

  return {
    ports,
    version: tillkitVersion(),
    start: () => {
      if (phase === "stopped") throw new Error("This host was stopped. Create another one to start again.");
      if (phase === "running") return;
      loops = startBackground(taskPorts, background, handlers, alerting, onStep);
      phase = "running";
      // The first step of a handler registers it. Without this call, the handler would miss the
      // events of its first pause.
      wake();
    },
    runNow: async (task) => {
      const loop = loops.get(task);
      if (loop === undefined) throw new Error(`No task "${task}" is running. Call start() first.`);
      await loop.runNow();
    },
    stop: async (timeoutMs = 20_000) => {
      phase = "stopped";
      const unfinished = new Set(loops.keys());
      const ending = [...loops].map(async ([name, loop]) => {
        await loop.stop();
        unfinished.delete(name);
      });
      await valueOrTimeout(Promise.all(ending), timeoutMs);
      return { unfinished: [...unfinished] };
    },
    health: async () => {
      const failure = phase === "stopped" ? undefined : await storageFailure();
      // A host that stops is not ready on purpose, so it reports no change.
      if (phase !== "stopped") reportReadiness(failure);
      const why = phase === "stopped" ? "stopping" : failure?.name;
      return {
        ready: why === undefined,
        ...(why === undefined ? {} : { why }),
        background: Object.fromEntries(tasks),
      };
    },
  };
}

function portsOf(
  {
    stores,
    wallets,
    smsSender,
    admitSms,
    publicUrl,
    notificationsPath = "/wallets",
    keyring,
    policy = defaultPolicy,
    observer = stderrObserver(),
    clock = systemClock,
    random = systemRandom,
    compressor = nodeCompressor(),
  }: TillkitOptions,
  onChange: () => void,
): Ports {
  const problems = policyProblems(policy).map(({ path, rule }) => `${path} ${rule}`);
  if (problems.length > 0) throw new RangeError(`The policy is not usable: ${problems.join("; ")}.`);
  return {
    ...stores,
    clock,
    random,
    digest: nodeDigest({ peppers: keyring.peppers }),
    observer: wakeOnChanges(observer, onChange),
    policy,
    wallets,
    ...(smsSender === undefined ? {} : { smsSender }),
    ...(admitSms === undefined ? {} : { admitSms }),
    ...(compressor === "none" ? {} : { compressor }),
    notificationsUrl: notificationsUrlOf(publicUrl, notificationsPath),
  };
}

function notificationsUrlOf(publicUrl: string, path: string): string {
  const url = plainUrl("publicUrl", publicUrl);
  if (!/^(\/[^/?#\s]+)+$/.test(path))
    throw new TypeError("notificationsPath must start with a slash and not end with one, such as /wallets.");
  return url + path;
}

/** Returns an address without a trailing slash. Throws if it has a user, a query or a fragment. */
function plainUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isPlain || /[?#]/.test(text))
    throw new TypeError(
      `${option} must be an absolute http or https address without user and query, such as https://pay.example.com.`,
    );
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
