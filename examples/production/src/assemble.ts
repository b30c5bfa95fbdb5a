import type { Observer, Policy, Ports, SmsSender } from "@tillkit/core";
import { limitedSurfaces, type Surface } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import { type BackgroundOptions, createTillkit, type Tillkit } from "@tillkit/host";
import { instrumentSurface, tracePorts } from "@tillkit/opentelemetry";
import { checkReadiness, type OnUnreadable, postgresStores } from "@tillkit/postgres";
import type { Keyring } from "@tillkit/runtime";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { Config } from "./config.js";
import { httpSmsSender } from "./http-sms-sender.js";
import type { Logger } from "./logger.js";
import { logRequests } from "./request-log.js";
import type { Storage } from "./storage.js";
import type { Telemetry } from "./telemetry.js";
import { type HostWallets, PAYER_ADDRESS_HEADER, payerAddress } from "./wallets.js";

/** The parts from which a host is made. */
export interface Parts {
  readonly storage: Pick<Storage, "sql" | "probe">;
  readonly keyring: Keyring;
  readonly policy: Policy;
  readonly wallets: Pick<HostWallets, "wallets" | "clock">;
  readonly observer: Observer;
  /** Called with each stored row that a list leaves out because the row cannot be read. */
  /** Defaults to the gateway of the configuration, if it has one. */
  readonly smsSender?: SmsSender;
  readonly onUnreadable?: OnUnreadable;
  /** What surrounds each step of the background tasks. */
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
    background: { ...config.background, ...steps },
    alerts: config.alerts ?? [],
    ...(config.dashboardUrl === undefined ? {} : { dashboardUrl: config.dashboardUrl }),
    checkStorage: () => checkReadiness(probe, schema),
    checkTimeoutMs: config.probeDeadline,
  });
}

/**
 * Creates the app on the port that callers and wallets reach.
 *
 * Tillkit's routers come before any body parser, because the wallets sign the raw bytes.
 */
export function assembleApp(
  ports: Ports,
  { trustProxy, concurrency }: Pick<Config["api"], "trustProxy" | "concurrency">,
  logger: Logger,
  { meter, tracer }: Pick<Telemetry, "meter" | "tracer">,
  receipts?: Surface,
): Express {
  const traced = tracer === undefined ? {} : { tracer };
  const surfaces = limitedSurfaces(tracer === undefined ? ports : tracePorts(ports, traced), concurrency);
  const router = (surface: Surface) =>
    surfaceRouter(instrumentSurface(logRequests(surface, logger), { meter, ...traced }));
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustProxy);
  app.use((request, _response, next) => {
    payerAddress.run(request.get(PAYER_ADDRESS_HEADER), next);
  });
  app.use("/pay", router(surfaces.payments));
  app.use("/wallets", router(surfaces.notifications));
  if (receipts !== undefined) app.use("/sms-receipts", router(receipts));
  app.use(router(surfaces.metrics));
  // Add your own routes and their body parsers here.
  app.use((_request, response) => {
    response.status(404).type("text/plain").send("There is nothing here.\n");
  });
  app.use(lastResort(logger));
  return app;
}

/**
 * Answers errors without their stack. Express recognizes an error handler by its four parameters.
 */
function lastResort(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request, response, _next) => {
    logger.error({ err: thrown }, "a request broke");
    if (response.headersSent) response.destroy();
    else response.status(500).type("text/plain").send("Something went wrong here.\n");
  };
}
