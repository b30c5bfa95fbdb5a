import { defaultPolicy, type Observer, type Ports } from "@tillkit/core";
import {
  bounded,
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

/** What the ports of a host are made of. */
export interface Parts {
  readonly sql: SqlClient;
  readonly keyring: Keyring;
  readonly wallets: Pick<HostWallets, "wallets" | "clock">;
  readonly observer: Observer;
  /** Is called with each stored row that a list leaves out because it cannot be read. */
  readonly onUnreadable?: OnUnreadable;
}

/** Puts the ports together. Throws on unusable keys. */
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
    // Limits of your own: `policyWith({ … })`.
    policy: defaultPolicy,
    wallets: wallets.wallets,
    ...(sms === undefined ? {} : { smsSender: httpSmsSender(sms) }),
    notificationsUrl: `${publicUrl}/wallets`,
  };
}

/** Everything on the port callers and wallets reach. Tillkit's routers come first: the wallets sign raw bytes, which a body parser would eat. */
export function assembleApp(
  ports: Ports,
  { trustProxy, bounds }: Pick<Config["api"], "trustProxy" | "bounds">,
  logger: Logger,
  record: (request: AnsweredRequest) => void,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustProxy);
  app.use((request, _response, next) => {
    payerAddress.run(request.get(PAYER_ADDRESS_HEADER), next);
  });
  app.use("/pay", paymentsRouter(ports, bounds));
  const notifications = bounded(ports, notificationsSurface(ports), bounds);
  app.use("/wallets", surfaceRouter(watchSurface(notifications, notificationRoutes, ports, record)));
  const downloads = bounded(ports, metricsSurface(ports), bounds);
  app.use(surfaceRouter(watchSurface(downloads, metricsRoutes, ports, record)));
  // Your own routes, and body parsers for them, come here.
  app.use((_request, response) => {
    response.status(404).type("text/plain").send("There is nothing here.\n");
  });
  app.use(lastResort(logger));
  return app;
}

/** What Express would answer with the stack. Four parameters make it a handler of errors. */
function lastResort(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request, response, _next) => {
    logger.error({ err: thrown }, "a request broke");
    if (response.headersSent) response.destroy();
    else response.status(500).type("text/plain").send("Something went wrong here.\n");
  };
}
