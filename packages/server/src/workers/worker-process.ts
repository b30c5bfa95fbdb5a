import cluster from "node:cluster";
import { valueOrTimeout } from "@tillkit/runtime";
import { z } from "zod";
import { ask, isSilent } from "./ask.js";
import { closeHandedConnections } from "./close-handed-connections.js";
import { type FromSupervisor, fromWorker, SOCKET_VARIABLE } from "./messages.js";
import { stackSocketOf } from "./serve-stack.js";
import { type WorkerMetrics, workerMetrics } from "./worker-metrics.js";

/** How long a worker may take until it serves, in milliseconds. */
const START_MS = 60_000;
/** How long to wait for the last message of a worker that has ended, in milliseconds. */
const LAST_MESSAGE_MS = 1_000;

/** How a worker ended. */
export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** How long it lived, in milliseconds. */
  readonly livedMs: number;
}

/** What a worker reports about itself, as `Tillkit.health`. */
const health = z.object({
  ready: z.boolean(),
  why: z.string().exactOptional(),
  background: z.record(
    z.string(),
    z.object({ succeededAt: z.number().exactOptional(), failure: z.string().exactOptional() }),
  ),
});
export type WorkerHealth = z.infer<typeof health>;

const stack = z.array(z.string());

/** A worker, seen from its supervisor. */
export interface WorkerProcess {
  readonly pid: number;
  /** The socket with the worker's health checks, metrics and dashboard. */
  readonly socketPath: string;
  /** Resolves with the port once the worker serves, or with `undefined` if it did not start. */
  readonly serving: Promise<number | undefined>;
  readonly ended: Promise<WorkerExit>;
  /** Stops the worker gracefully. A second call stops it at once. */
  stop(signal: string): void;
  kill(): void;
  /** Resolves with true if the worker is silent for `ms` milliseconds. Needs no database. */
  isSilent(ms: number): Promise<boolean>;
  /**
   * Resolves with the stack frames of the worker, newest first, even in an endless loop.
   *
   * Resolves with `undefined` if the worker does not answer within `ms` milliseconds, for example
   * after SIGSTOP.
   */
  stack(ms: number): Promise<readonly string[] | undefined>;
  /** Resolves with `undefined` if the worker does not answer within `ms` milliseconds. */
  health(ms: number): Promise<WorkerHealth | undefined>;
  readonly metrics: Pick<WorkerMetrics, "request" | "latest">;
}

/** Starts a worker that serves its supervisor at `socketPath`. */
export function startWorker(socketPath: string): WorkerProcess {
  const startedAt = performance.now();
  const worker = cluster.fork({ [SOCKET_VARIABLE]: socketPath });
  closeHandedConnections(worker);
  const metrics = workerMetrics(socketPath);
  const disconnected = new Promise<void>((resolve) => {
    worker.once("disconnect", resolve);
  });
  const exited = new Promise<void>((resolve) => {
    worker.once("exit", () => resolve());
    // A message to a worker that has just ended causes an error, and the exit follows. Only a
    // process that the system did not create has no exit event.
    worker.on("error", () => {
      if (worker.process.pid === undefined) resolve();
    });
  });
  const ended = exited.then(async (): Promise<WorkerExit> => {
    const livedMs = performance.now() - startedAt;
    // The last message of the worker may arrive after the end of its process.
    await valueOrTimeout(disconnected, LAST_MESSAGE_MS);
    return { code: worker.process.exitCode, signal: worker.process.signalCode, livedMs };
  });
  const started = new Promise<number>((resolve) => {
    worker.on("message", (received: unknown) => {
      // Libraries may send messages of their own to the first process.
      const message = fromWorker.safeParse(received).data;
      if (message?.type === "serving") resolve(message.port);
      if (message?.type === "last-metrics") metrics.setLast(message.text);
    });
  });
  const serving = valueOrTimeout(Promise.race([started, ended]), START_MS).then((first) =>
    typeof first === "number" ? first : undefined,
  );
  return {
    pid: worker.process.pid ?? 0,
    socketPath,
    serving,
    ended,
    stop: (signal) => {
      const message: FromSupervisor = { type: "stop", signal };
      if (worker.isConnected()) worker.send(message);
    },
    kill: () => void worker.process.kill("SIGKILL"),
    isSilent: (ms) => isSilent(socketPath, "/health/live", ms),
    stack: async (ms) => {
      const answer = await ask(stackSocketOf(socketPath), "/", ms);
      return stack.safeParse(answer === undefined ? undefined : parsed(answer.body)).data;
    },
    health: async (ms) => {
      const answer = await ask(socketPath, "/health/ready", ms);
      const read = health.safeParse(answer === undefined ? undefined : parsed(answer.body));
      return read.data;
    },
    metrics,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
