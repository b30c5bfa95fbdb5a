import type { RequestListener, ServerResponse } from "node:http";
import { valueOrTimeout } from "@tillkit/runtime";
import { hostHealth } from "./host-health.js";
import { passOn } from "./pass-on.js";
import { sumMetrics } from "./sum-metrics.js";
import type { WorkerGroup } from "./worker-group.js";
import type { WorkerHealth, WorkerProcess } from "./worker-process.js";

/** How long `/health/ready` waits for the other workers once one is ready, in milliseconds. */
const OTHERS_MS = 200;

/** What the app of a supervisor needs. */
export interface SupervisorAppOptions {
  readonly group: Pick<WorkerGroup, "serving" | "metrics" | "crashes">;
  /** The configured number of workers. */
  readonly workers: number;
  /** Why the host as a whole is not ready. */
  readonly notReady: () => string | undefined;
  /** How long a worker may take to answer, in milliseconds. */
  readonly workerDeadline: number;
}

/**
 * Creates the app on the port for operators of a host with several workers.
 *
 * Answers health checks and metrics for the whole host. One worker answers everything else.
 */
export function supervisorApp(options: SupervisorAppOptions): RequestListener {
  const { group, workers, notReady, workerDeadline } = options;
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<void> | void>> = {
    "/health/live": (response) => json(response, 200, { alive: true }),
    "/health/ready": async (response) => {
      const serving = group.serving();
      const each = await healthOfEach(serving, workerDeadline);
      const health = hostHealth(each, notReady());
      const counts = { configured: workers, serving: serving.length };
      json(response, health.ready ? 200 : 503, { ...health, workers: counts });
    },
    "/metrics": async (response) => {
      const text = await group.metrics(workerDeadline);
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
      response.end(sumMetrics([text, ownMetrics(options)]));
    },
  };
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const answer = request.method === "GET" && Object.hasOwn(answers, path) ? answers[path] : undefined;
    const [worker] = group.serving();
    if (answer !== undefined) void answer(response);
    else if (worker === undefined) response.writeHead(503).end("No worker serves.\n");
    else passOn(worker.socketPath, request, response);
  };
}

/**
 * Resolves with the health of the workers that answer in time.
 *
 * One ready worker makes the host ready. So a worker that hangs must not delay the answer until the
 * probe of the load balancer gives up.
 */
async function healthOfEach(
  workers: readonly Pick<WorkerProcess, "health">[],
  ms: number,
): Promise<readonly WorkerHealth[]> {
  const answered: WorkerHealth[] = [];
  let onReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const all = Promise.all(
    workers.map(async (worker) => {
      const health = await worker.health(ms);
      if (health === undefined) return;
      answered.push(health);
      if (health.ready) onReady();
    }),
  );
  await Promise.race([all, ready.then(() => valueOrTimeout(all, OTHERS_MS))]);
  return answered;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/**
 * Returns the metrics of the supervisor. Its memory and CPU time are added to the workers' values.
 */
function ownMetrics({ group, workers }: Pick<SupervisorAppOptions, "group" | "workers">): string {
  const { user, system } = process.cpuUsage();
  return [
    "# HELP tillkit_workers Worker processes: configured, and those that serve.",
    "# TYPE tillkit_workers gauge",
    `tillkit_workers{state="configured"} ${workers}`,
    `tillkit_workers{state="serving"} ${group.serving().length}`,
    "# HELP tillkit_worker_crashes_total Workers that ended without being stopped.",
    "# TYPE tillkit_worker_crashes_total counter",
    `tillkit_worker_crashes_total ${group.crashes()}`,
    "# TYPE process_memory_usage_bytes gauge",
    `process_memory_usage_bytes ${process.memoryUsage.rss()}`,
    "# TYPE process_cpu_time_seconds_total counter",
    `process_cpu_time_seconds_total ${(user + system) / 1e6}`,
    "",
  ].join("\n");
}
