import { setTimeout as pause } from "node:timers/promises";
import type { Health } from "./health.js";
import type { HttpServer } from "./http-server.js";
import type { Loop } from "./loops.js";

/** The parts of a host that a shutdown ends. */
export interface Running {
  readonly health: Pick<Health, "shutDown">;
  readonly api: HttpServer;
  readonly admin: HttpServer;
  readonly loops: Readonly<Record<string, Loop>>;
  /** Closes the wallets and the storage, which requests and loops need until the end. */
  readonly release: () => Promise<void>;
  /** Milliseconds between becoming not ready and refusing new connections. */
  readonly drainDelay: number;
}

/** A host that is shutting down. */
export interface Stopping {
  /** Resolves when everything has ended, without a time limit. */
  readonly done: Promise<void>;
  /** Describes what has not ended yet. */
  unfinished(): readonly string[];
}

/**
 * Stops a host in the only order that loses no work.
 *
 * 1. The host becomes not ready.
 * 2. The server accepts no new connection.
 * 3. Pending requests are answered, and loops end after their step.
 * 4. Wallets and database are closed.
 * 5. Probes and metrics end.
 */
export function stopInOrder({ health, api, admin, loops, release, drainDelay }: Running): Stopping {
  const open = new Set<string>();
  const ending = async (name: string, work: Promise<void>): Promise<void> => {
    open.add(name);
    await work;
    open.delete(name);
  };
  health.shutDown();
  const serving = pause(drainDelay).then(() => api.close());
  const steps = Object.entries(loops).map(([name, loop]) => ending(`a step of the ${name}`, loop.stop()));
  const done = Promise.all([ending("requests", serving), ...steps])
    .then(() => ending("wallets and database", release()))
    .then(() => ending("the admin port", admin.close()));
  return {
    done,
    unfinished: () => [...open].map((name) => (name === "requests" ? `${name}: ${api.underWay()}` : name)),
  };
}
