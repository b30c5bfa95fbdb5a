import { z } from "zod";

/** The message of a supervisor to a worker: stop gracefully. `signal` is logged as the reason. */
export const fromSupervisor = z.object({ type: z.literal("stop"), signal: z.string() });
export type FromSupervisor = z.infer<typeof fromSupervisor>;

/** What a worker sends to its supervisor. */
export const fromWorker = z.discriminatedUnion("type", [
  /** The worker serves at this port. */
  z.object({ type: z.literal("serving"), port: z.int() }),
  /** The metrics of the worker after its last request. */
  z.object({ type: z.literal("last-metrics"), text: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

/** The environment variable with the path of the socket on which a worker serves its supervisor. */
export const SOCKET_VARIABLE = "TILLKIT_WORKER_SOCKET";
