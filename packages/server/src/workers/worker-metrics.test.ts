import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { workerMetrics } from "./worker-metrics.js";

/** Timeout in milliseconds for answers that arrive. */
const PATIENT = 60_000;

/** Starts a server in the place of a worker's admin app. Returns the path of its socket. */
async function serve(listener: RequestListener): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-metrics-"));
  const server = createServer(listener).listen(join(folder, "worker.sock"));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  await once(server, "listening");
  return join(folder, "worker.sock");
}

it("keeps the previous metrics if the worker answers with an error", async () => {
  const answers = [
    [200, "orders 1"],
    [500, "the worker is ending"],
    [503, "stopping"],
    [200, "orders 2"],
  ] as const;
  const paths: (string | undefined)[] = [];
  const metrics = workerMetrics(
    await serve((request, response) => {
      const [status, body] = answers[paths.push(request.url) - 1] ?? [404, ""];
      response.writeHead(status).end(body);
    }),
  );
  expect(metrics.latest()).toBe("");
  const received: unknown[] = [];
  for (const _answer of answers) received.push([await metrics.request(PATIENT), metrics.latest()]);
  expect(received).toEqual([
    [true, "orders 1"],
    [false, "orders 1"],
    [false, "orders 1"],
    [true, "orders 2"],
  ]);
  expect(new Set(paths)).toEqual(new Set(["/metrics"]));
});

it("keeps the previous metrics if the worker does not answer in time, or has ended", async () => {
  let answers = true;
  const metrics = workerMetrics(await serve((_request, response) => answers && response.end("orders 1")));
  await metrics.request(PATIENT);
  answers = false;
  expect(await metrics.request(20)).toBe(false);
  expect(metrics.latest()).toBe("orders 1");
  const ended = workerMetrics(join(tmpdir(), "tillkit-no-such-worker.sock"));
  ended.setLast("orders 3");
  expect(await ended.request(PATIENT)).toBe(false);
  expect(ended.latest()).toBe("orders 3");
});

it("ignores an answer that arrives after the last metrics", async () => {
  const pending: ServerResponse[] = [];
  const metrics = workerMetrics(await serve((_request, response) => pending.push(response)));
  const requested = metrics.request(PATIENT);
  await expect.poll(() => pending).toHaveLength(1);
  metrics.setLast("orders 2");
  pending[0]?.end("orders 1");
  expect(await requested).toBe(false);
  expect(metrics.latest()).toBe("orders 2");
});
