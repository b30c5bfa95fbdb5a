import { connect } from "node:net";
import { listen, type Listening } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { versions } from "./testing/hosts.js";

for (const { version, express, paymentsRouter, metricsRouter, notificationsRouter } of versions) {
  describe(`the routers on ${version}`, () => {
    let host: Listening;
    beforeEach(async () => {
      const ports = memoryPorts();
      const app = express();
      app.use("/pay", paymentsRouter(ports));
      app.use("/wallets", notificationsRouter(ports));
      app.use(metricsRouter(ports));
      host = await listen(app);
    });
    afterEach(() => host.close());

    it("answer payments requests", async () => {
      const reply = await fetch(`${host.baseUrl}/pay/payTools.json`);
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({ code: 1 });
    });

    it("answer downloads requests", async () => {
      const reply = await fetch(`${host.baseUrl}/misc/v2/downloads-api`);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ data: { errorCode: "MISSING_REQUIRED_QUERY_PARAMS" } });
    });

    it("answer a customer who returns from a wallet", async () => {
      expect((await fetch(`${host.baseUrl}/wallets/return/WALLET_B`)).status).toBe(200);
    });

    it("reject requests above their limits, and accept requests again when a slot is free", async () => {
      const ports = memoryPorts();
      let release = (): void => undefined;
      const stored = new Promise<void>((resolve) => {
        release = resolve;
      });
      const slow = vi.fn((appId: string) => ports.apps.find(appId).map((app) => stored.then(() => app)));
      const app = express();
      const apps = { ...ports.apps, find: slow };
      app.use(paymentsRouter({ ...ports, apps }, { maxConcurrent: 1, maxQueued: 0 }));
      const bounded = await listen(app);
      onTestFinished(() => bounded.close());
      const headers = { APP_ID: "app_1", APP_SECRET: "sk_1" };
      const ask = async (): Promise<unknown> =>
        (await fetch(`${bounded.baseUrl}/payTools.json`, { headers })).json();
      const first = ask();
      await expect.poll(() => slow.mock.calls.length).toBe(1);
      expect(await ask()).toMatchObject({ code: 99998 });
      release();
      expect(await first).toMatchObject({ code: 1001 });
      expect(await ask()).toMatchObject({ code: 1001 });
      expect(slow).toHaveBeenCalledTimes(2);
    });

    it("give no concurrency slot to a request that has not arrived completely", async () => {
      const ports = memoryPorts();
      const app = express();
      let begun = 0;
      app.use((_request, _response, next) => {
        begun += 1;
        next();
      });
      app.use(paymentsRouter(ports, { maxConcurrent: 1, maxQueued: 0 }));
      const bounded = await listen(app);
      onTestFinished(() => bounded.close());
      const head = "POST /order.json HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{";
      for (let slow = 0; slow < 20; slow += 1) connect(bounded.port, "127.0.0.1").write(head);
      await expect.poll(() => begun).toBe(20);
      const reply = await fetch(`${bounded.baseUrl}/payTools.json`);
      expect(await reply.json()).toMatchObject({ code: 1 });
    });

    it("answer unknown paths below their mount points, and leave the rest to the host", async () => {
      for (const path of ["/pay/elsewhere", "/wallets/elsewhere", "/misc/elsewhere"]) {
        const reply = await fetch(`${host.baseUrl}${path}`, { method: "POST" });
        expect(reply.status).toBe(404);
        expect(await reply.json()).toMatchObject({ code: 10014 });
      }
      const reply = await fetch(`${host.baseUrl}/elsewhere`);
      expect(reply.status).toBe(404);
      expect(await reply.text()).not.toContain("10014");
    });

    it("share concurrency slots by the address that the host returns", async () => {
      const ports = memoryPorts();
      const peers: (string | undefined)[] = [];
      const peerOf = ({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }) => {
        peers.push(String(headers["x-real-ip"]));
        return peers.at(-1);
      };
      const app = express().use(paymentsRouter(ports, { maxConcurrent: 8, peerOf }));
      const bounded = await listen(app);
      onTestFinished(() => bounded.close());
      await fetch(`${bounded.baseUrl}/payTools.json`, { headers: { "x-real-ip": "192.0.2.7" } });
      expect(peers).toEqual(["192.0.2.7"]);
    });
  });
}
