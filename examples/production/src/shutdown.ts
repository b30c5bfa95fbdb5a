import { setTimeout as pause } from "node:timers/promises";
import type { Health } from "./health.js";
import type { HttpServer } from "./http-server.js";
import type { Loop } from "./loops.js";

/** What ends with a host. */
export interface Running {
  readonly health: Pick<Health, "shutDown">;
  readonly api: HttpServer;
  readonly admin: HttpServer;
  readonly loops: Readonly<Record<string, Loop>>;
  /** Wallets and storage: what requests and loops need to the last. */
  readonly release: () => Promise<void>;
  /** Milliseconds between not being ready and taking no connection. */
  readonly drainDelay: number;
}

/** A host on its way to its end. */
export interface Stopping {
  /** Resolves when everything is over, however long it takes. */
  readonly done: Promise<void>;
  /** What is not over yet, in words. */
  unfinished(): readonly string[];
}

/**
 * Ends a host in the only order that loses nothing: not ready; no new connection; what is under way is answered, and loops end after their
 * step; then wallets and database; probes and metrics last.
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
