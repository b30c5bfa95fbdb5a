import { setTimeout as pause } from "node:timers/promises";
import type { Tillkit } from "@tillkit/host";
import type { HttpServer } from "../http/http-server.js";

/** The parts of a host that a shutdown ends. */
export interface Running {
  readonly tillkit: Pick<Tillkit, "stop">;
  readonly api: HttpServer;
  readonly admin: HttpServer;
  /** Closes the wallets and the storage, which requests and tasks need until the end. */
  readonly release: () => Promise<void>;
  /** Milliseconds between becoming not ready and refusing new connections. */
  readonly drainDelay: number;
  /** How long background tasks may take to end, in milliseconds. */
  readonly tasksDeadline: number;
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
 * 1. The host becomes not ready, and ends each connection with its next response.
 * 2. The server accepts no new connection.
 * 3. Pending requests are answered, and background tasks end after their step.
 * 4. Wallets and database are closed.
 * 5. Probes and metrics end.
 */
export function stopInOrder({ tillkit, api, admin, release, drainDelay, tasksDeadline }: Running): Stopping {
  const open = new Set<string>();
  let tasks: readonly string[] = ["background tasks"];
  const ending = async (name: string, work: Promise<void>): Promise<void> => {
    open.add(name);
    await work;
    open.delete(name);
  };
  const background = tillkit.stop(tasksDeadline).then(({ unfinished }) => {
    tasks = unfinished.map((task) => `a step of the task ${task}`);
    // A step that is still running needs the storage until the process ends.
    return unfinished.length === 0 ? undefined : new Promise<never>(() => undefined);
  });
  api.drain();
  const serving = pause(drainDelay).then(() => api.close());
  const done = Promise.all([ending("requests", serving), background])
    .then(() => ending("wallets and database", release()))
    .then(() => ending("the admin port", admin.close()));
  return {
    done,
    unfinished: () => [
      ...[...open].map((name) => (name === "requests" ? `${name}: ${api.underWay()}` : name)),
      ...tasks,
    ],
  };
}
