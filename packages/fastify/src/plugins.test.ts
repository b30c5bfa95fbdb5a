import { memoryPorts } from "@tillkit/memory";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { metricsPlugin, notificationsPlugin, paymentsPlugin } from "./plugins.js";
import { serve } from "./testing/serve.js";

/** Serves the three plugins beside a wildcard route of the host. */
async function aHost() {
  const ports = memoryPorts();
  const host = await serve(async (app) => {
    await app.register(paymentsPlugin(ports), { prefix: "/pay" });
    await app.register(notificationsPlugin(ports), { prefix: "/wallets" });
    await app.register(metricsPlugin(ports));
    app.all("/*", async (request) => ({ own: request.url, body: request.body }));
  });
  onTestFinished(() => host.close());
  return host;
}

describe("the plugins on Fastify", () => {
  it("answer payments, downloads, and a customer who returns from a wallet", async () => {
    const { baseUrl } = await aHost();
    expect(await (await fetch(`${baseUrl}/pay/payTools.json`)).json()).toMatchObject({ code: 1 });
    const report = await fetch(`${baseUrl}/misc/v2/downloads-api`);
    expect(await report.json()).toMatchObject({ data: { errorCode: "MISSING_REQUIRED_QUERY_PARAMS" } });
    expect((await fetch(`${baseUrl}/wallets/return/WALLET_B`)).status).toBe(200);
  });

  it("answer unknown paths below their prefixes, and leave the rest to the host's wildcard", async () => {
    const { baseUrl } = await aHost();
    for (const path of ["/pay/elsewhere", "/wallets/elsewhere", "/misc/elsewhere"]) {
      const reply = await fetch(`${baseUrl}${path}`, { method: "POST" });
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ code: 10014 });
    }
    const headers = { "content-type": "application/json" };
    const own = await fetch(`${baseUrl}/elsewhere`, { method: "POST", headers, body: `{"a":1}` });
    expect(await own.json()).toEqual({ own: "/elsewhere", body: { a: 1 } });
  });

  it("refuse requests over the limits, and count senders by the address that `peerOf` returns", async () => {
    const ports = memoryPorts();
    let release = (): void => undefined;
    const stored = new Promise<void>((resolve) => (release = resolve));
    const find = vi.fn((appId: string) => ports.apps.find(appId).map((app) => stored.then(() => app)));
    const peerOf = vi.fn(({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }) =>
      String(headers["x-real-ip"]),
    );
    const plugin = paymentsPlugin(
      { ...ports, apps: { ...ports.apps, find } },
      { maxConcurrent: 1, maxQueued: 0, peerOf },
    );
    const host = await serve(async (app) => app.register(plugin));
    onTestFinished(() => host.close());
    const headers = { APP_ID: "app_1", APP_SECRET: "sk_1", "x-real-ip": "192.0.2.7" };
    const ask = async (): Promise<unknown> =>
      (await fetch(`${host.baseUrl}/payTools.json`, { headers })).json();
    const first = ask();
    await expect.poll(() => find.mock.calls.length).toBe(1);
    expect(await ask()).toMatchObject({ code: 99998 });
    release();
    expect(await first).toMatchObject({ code: 1001 });
    expect(find).toHaveBeenCalledTimes(1);
    expect(peerOf.mock.results[0]?.value).toBe("192.0.2.7");
  });

  it.each(["/:tenant/pay", "/pay/"])("reject the prefix %s", async (prefix) => {
    const app = Fastify();
    await expect(async () => app.register(paymentsPlugin(memoryPorts()), { prefix })).rejects.toThrow(
      "must be a literal path",
    );
  });
});
