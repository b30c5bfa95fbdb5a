import type { Observer, Policy, Ports, SmsSender } from "@tillkit/core";
import { limitedSurfaces, type Mounts, type Surface } from "@tillkit/core/http";
import { type BackgroundOptions, createTillkit, type Tillkit } from "@tillkit/host";
import { instrumentSurface, tracePorts } from "@tillkit/opentelemetry";
import { checkReadiness, type OnUnreadable, postgresStores } from "@tillkit/postgres";
import type { Keyring } from "@tillkit/runtime";
import type { Config } from "../config.js";
import type { Logger } from "../log/logger.js";
import { logRequests } from "../log/request-log.js";
import type { HostOptions } from "../options.js";
import { httpSmsSender } from "../sms/http-sms-sender.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import type { Storage } from "./storage.js";
import { type HostWallets, withPayerAddress } from "./wallets.js";

/** The parts from which a host is made. */
export interface Parts extends Pick<HostOptions, "eventHandlers" | "admitSms" | "backgroundTasks"> {
  readonly storage: Pick<Storage, "sql" | "probe">;
  readonly keyring: Keyring;
  readonly policy: Policy;
  readonly wallets: Pick<HostWallets, "wallets" | "clock">;
  readonly observer: Observer;
  /** Defaults to the gateway of the configuration, if it has one. */
  readonly smsSender?: SmsSender;
  /** Called with each stored row that a list leaves out because the row cannot be read. */
  readonly onUnreadable?: OnUnreadable;
  /** Functions that run around each step of the background tasks and wrap its ports. */
  readonly steps?: Pick<BackgroundOptions, "aroundStep" | "wrapPorts">;
}

/** Creates the host without its server. Throws if the keys are unusable. */
export function assembleTillkit(
  config: Pick<Config, "database" | "publicUrl" | "sms" | "probeDeadline" | "background"> &
    Partial<Pick<Config, "alerts" | "dashboardUrl">>,
  {
    storage: { sql, probe },
    keyring,
    policy,
    wallets: { wallets, clock },
    observer,
    onUnreadable,
    steps = {},
    smsSender = config.sms === undefined ? undefined : httpSmsSender(config.sms),
    eventHandlers = [],
    admitSms,
    backgroundTasks = {},
  }: Parts,
): Tillkit {
  const { schema } = config.database;
  const { credentialKeys } = keyring;
  return createTillkit({
    stores: postgresStores({
      sql,
      schema,
      credentialKeys,
      ...(onUnreadable === undefined ? {} : { onUnreadable }),
    }),
    wallets,
    clock,
    keyring,
    observer,
    publicUrl: config.publicUrl,
    policy,
    ...(smsSender === undefined ? {} : { smsSender }),
    ...(admitSms === undefined ? {} : { admitSms }),
    eventHandlers: typeof eventHandlers === "function" ? eventHandlers({ sql, schema }) : eventHandlers,
    background: { ...config.background, ...steps, tasks: backgroundTasks },
    alerts: config.alerts ?? [],
    ...(config.dashboardUrl === undefined ? {} : { dashboardUrl: config.dashboardUrl }),
    checkStorage: () => checkReadiness(probe, schema),
    checkTimeoutMs: config.probeDeadline,
  });
}

/** Creates the surfaces that callers and wallets reach, with limits, logs and metrics. */
export function apiSurfaces(
  ports: Ports,
  { concurrency }: Pick<Config["api"], "concurrency">,
  logger: Logger,
  { meter, tracer }: Pick<Telemetry, "meter" | "tracer">,
  receipts?: Surface,
): Mounts {
  const traced = tracer === undefined ? {} : { tracer };
  const surfaces = limitedSurfaces(tracer === undefined ? ports : tracePorts(ports, traced), concurrency);
  const observed = (surface: Surface) =>
    withPayerAddress(instrumentSurface(logRequests(surface, logger), { meter, ...traced }));
  return {
    "/pay": observed(surfaces.payments),
    "/wallets": observed(surfaces.notifications),
    ...(receipts === undefined ? {} : { "/sms-receipts": observed(receipts) }),
    "/": observed(surfaces.metrics),
  };
}
