import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Surface } from "@tillkit/core/http";
import { expect, it, onTestFinished } from "vitest";
import { adminApp, DASHBOARD } from "../http/admin-app.js";
import { listen } from "../http/http-server.js";
import { passOn } from "./pass-on.js";

/** Answers with the client's address, by which the operators' page limits sign-ins. */
const dashboard: Surface<string> = {
  maxRequestBytes: 1_000,
  owns: () => true,
  handle: async ({ peer = "none" }) => ({ status: 200, headers: {}, body: peer }),
};

/**
 * Requests the address from a worker through its supervisor, which the worker trusts.
 *
 * The worker also trusts `proxies` proxies in front of the supervisor.
 */
async function peerSeenBy(proxies: number, headers: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-"));
  const socketPath = join(folder, "worker.sock");
  const app = adminApp(
    { health: () => Promise.reject(new Error("No test asks for the health.")) },
    { metricsText: async () => "" },
    { dashboard, trustProxy: proxies + 1 },
  );
  const worker = await listen(app, { socketPath });
  const supervisor = await listen((request, response) => passOn(socketPath, request, response), {
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(async () => {
    await supervisor.close();
    await worker.close();
    await rm(folder, { recursive: true, force: true });
  });
  const response = await fetch(`http://127.0.0.1:${supervisor.port}${DASHBOARD}/`, { headers });
  return response.text();
}

it("a worker receives the address of the supervisor's client, whatever header the client sends", async () => {
  expect(await peerSeenBy(0, {})).toBe("127.0.0.1");
  expect(await peerSeenBy(0, { "x-forwarded-for": "198.51.100.9" })).toBe("127.0.0.1");
});

it("a worker receives the address that the proxy in front of the supervisor appended", async () => {
  expect(await peerSeenBy(1, { "x-forwarded-for": "198.51.100.9, 203.0.113.7" })).toBe("203.0.113.7");
});
