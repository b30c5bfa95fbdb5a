import type { IncomingMessage, ServerResponse } from "node:http";
import type { Observer, Ports, SmsSender } from "@tillkit/core";
import type { BackgroundOptions, TillkitOptions } from "@tillkit/host";
import type { SqlClient } from "@tillkit/postgres";
import type { Logger } from "./log/logger.js";

/** The database of a host. */
export interface HostDatabase {
  /**
   * The client of the stores. The host closes it.
   *
   * Its statements have Tillkit's timeouts and planner settings: use it for
   * `transactionalHandler` and short statements.
   */
  readonly sql: SqlClient;
  /** The schema of the stores, which is not in the search path. */
  readonly schema: string;
}

/** The event handlers of a host. */
type EventHandlers = NonNullable<TillkitOptions["eventHandlers"]>;

/** What no environment variable can say about a host. */
export interface HostOptions {
  /**
   * Receive the events of orders, see `eventHandlers` of `createTillkit`.
   *
   * A function receives the database, for `transactionalHandler` of `@tillkit/postgres`.
   */
  readonly eventHandlers?: EventHandlers | ((database: HostDatabase) => EventHandlers);
  /** Sends SMS codes, instead of `SMS_GATEWAY_URL` and `SMS_CARRIERS_FILE`. */
  readonly smsSender?: SmsSender;
  /** Decides whether a code may be sent, see `Ports.admitSms`. */
  readonly admitSms?: Ports["admitSms"];
  /** Tasks of your own, by name. They share the logs, the health report and the orderly end. */
  readonly backgroundTasks?: NonNullable<BackgroundOptions["tasks"]>;
  /** Receives each event too, after logs and metrics. An error that it throws is ignored. */
  readonly observer?: Observer;
}

/** What a host gives to its own routes. */
export interface RoutesContext extends HostDatabase {
  /** For the functions of `@tillkit/core`, such as `refundOrder`. */
  readonly ports: Ports;
  /** The log of the host. Its lines have the trace id of the request or the task. */
  readonly logger: Logger;
}

/**
 * The routes of a host, such as an Express application or router.
 *
 * A request that they pass on with `next` is answered with 404, or with 500 after an error.
 */
export type Routes = {
  // A method, because the routes may expect Express's own request and response.
  handle(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
}["handle"];

/** Options of `serveTillkit`. */
export interface ServeOptions extends HostOptions {
  /**
   * Creates your own routes on `PORT`, after those of Tillkit.
   *
   * Called only in a process that serves. Import a large module in it, and the supervisor stays
   * small.
   */
  readonly routes?: (context: RoutesContext) => Routes | Promise<Routes>;
}
