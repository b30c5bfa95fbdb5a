import { defaultPolicy, type Observer, type Ports } from "@tillkit/core";
import {
  withConcurrencyLimit,
  metricsRoutes,
  metricsSurface,
  notificationRoutes,
  notificationsSurface,
} from "@tillkit/core/http";
import { paymentsRouter, surfaceRouter } from "@tillkit/express";
import { type OnUnreadable, postgresStores, type SqlClient } from "@tillkit/postgres";
import { type Keyring, nodeDigest, systemRandom } from "@tillkit/runtime";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { AnsweredRequest } from "./answered-request.js";
import type { Config } from "./config.js";
import { httpSmsSender } from "./http-sms-sender.js";
import type { Logger } from "./logger.js";
import { type HostWallets, PAYER_ADDRESS_HEADER, payerAddress } from "./wallets.js";
import { watchSurface } from "./watch-surface.js";

/** The parts from which the ports of a host are made. */
export interface Parts {
  readonly sql: SqlClient;
  readonly keyring: Keyring;
  readonly wallets: Pick<HostWallets, "wallets" | "clock">;
  readonly observer: Observer;
  /** Called with each stored row that a list leaves out because the row cannot be read. */
  readonly onUnreadable?: OnUnreadable;
}

/** Creates the ports. Throws if the keys are unusable. */
export function assemblePorts(
  { database: { schema }, publicUrl, sms }: Pick<Config, "database" | "publicUrl" | "sms">,
  { sql, keyring: { peppers, credentialKeys }, wallets, observer, onUnreadable }: Parts,
): Ports {
  return {
    ...postgresStores({
      sql,
      schema,
      credentialKeys,
      ...(onUnreadable === undefined ? {} : { onUnreadable }),
    }),
    clock: wallets.clock,
    random: systemRandom,
    digest: nodeDigest({ peppers }),
    observer,
    // To change limits, use `policyWith({ … })`.
    policy: defaultPolicy,
    wallets: wallets.wallets,
    ...(sms === undefined ? {} : { smsSender: httpSmsSender(sms) }),
    notificationsUrl: `${publicUrl}/wallets`,
  };
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
  record: (request: AnsweredRequest) => void,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustProxy);
  app.use((request, _response, next) => {
    payerAddress.run(request.get(PAYER_ADDRESS_HEADER), next);
  });
  app.use("/pay", paymentsRouter(ports, concurrency));
  const notifications = withConcurrencyLimit(ports, notificationsSurface(ports), concurrency);
  app.use("/wallets", surfaceRouter(watchSurface(notifications, notificationRoutes, ports, record)));
  const downloads = withConcurrencyLimit(ports, metricsSurface(ports), concurrency);
  app.use(surfaceRouter(watchSurface(downloads, metricsRoutes, ports, record)));
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
