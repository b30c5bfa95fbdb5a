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

/** The options of a host that environment variables cannot express. */
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
  /**
   * Your own tasks, by name. The host logs, reports and stops them like its own tasks.
   *
   * Every worker runs them. If work must be done once, let one worker claim it in your database.
   */
  readonly backgroundTasks?: NonNullable<BackgroundOptions["tasks"]>;
  /** Also receives each event, after logs and metrics. The host ignores an error that it throws. */
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
 * If the routes call `next`, Tillkit answers with 404, or with 500 if `next` receives an error.
 */
export type Routes = {
  // A method, because the routes may expect Express's own request and response.
  handle(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
}["handle"];

/** Options of `serveTillkit`. */
export interface ServeOptions extends HostOptions {
  /**
   * Creates your own routes on `PORT`, behind the routes of Tillkit.
   *
   * Called only in a process that serves. Import a large module in it, and the supervisor stays
   * small.
   */
  readonly routes?: (context: RoutesContext) => Routes | Promise<Routes>;
}
