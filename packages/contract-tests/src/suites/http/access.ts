import { PAY_CHANNELS } from "@tillkit/core";
import { metricsRoutes, notificationRoutes, paymentsRoutes } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import { aCount } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { type ServiceReply, callerAt, fetchAnswer } from "../../support/http/caller.js";
import { aDownloadsClient } from "./downloads.js";
import { anOwner, unknownNames, REQUESTS } from "../../support/http/owner.js";
import { at, membersOf } from "../../support/http/json.js";
import {
  aPurchase,
  created,
  deliver,
  expectRefused,
  notificationOf,
  storedOrder,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

/** Tests that an app cannot use the data of another app, at every endpoint. */
export function accessContract(start: StartService): void {
  it("has a request for every endpoint of the route table", () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(paymentsRoutes.map(nameOf).sort());
    expect([...metricsRoutes, ...notificationRoutes].map(nameOf)).toEqual([
      "GET /misc/downloads-api",
      "GET /misc/v2/downloads-api",
      "POST /notify/{payChannel}/{payToolId}/{orderRef}",
      "GET /return/{payChannel}",
    ]);
  });

  describe.each(Object.entries(REQUESTS))("%s", (_name, ask) => {
    it("answers another app as if the data did not exist, and does not change the data", async () => {
      const service = await start();
      const owner = await anOwner(service);
      const before = await owner.read();
      const about = await ask(service.second, owner.names);
      const unknown = unknownNames(owner.names);
      expect(bare(about)).toEqual(bare(await ask(service.second, unknown)));
      for (const value of owner.kept) expect(about.text).not.toContain(value);
      expect(await owner.read()).toEqual(before);
      await owner.expectCodeToWork();
    });

    it("answers an app id with another app's secret like an unknown app, after the same work", async () => {
      const work: string[] = [];
      const service = await start({
        ports: (ports) => ({
          ...ports,
          apps: { ...ports.apps, find: (appId) => (work.push("find"), ports.apps.find(appId)) },
          digest: { ...ports.digest, sha256: (text) => (work.push("sha256"), ports.digest.sha256(text)) },
        }),
      });
      const { baseUrl, demo, second } = service;
      const owner = await anOwner(service);
      const before = await owner.read();
      const refused = async (appId: string) => {
        work.length = 0;
        const caller = callerAt(baseUrl, { appId, appSecret: second.appSecret });
        const answer = await ask(caller, owner.names);
        return { code: answer.code, answer: bare(answer), work: [...work] };
      };
      const wrongSecret = await refused(demo.appId);
      expect(wrongSecret).toEqual(await refused("app_nobody"));
      expect(wrongSecret).toMatchObject({ code: 1001, work: ["sha256", "find"] });
      expect(await owner.read()).toEqual(before);
      await owner.expectCodeToWork();
    });
  });

  it.each(metricsRoutes)(
    "$method $path returns to a client only the counts of its own app",
    async ({ path }) => {
      const service = await start();
      const { demo, second, host, metricsUrl } = service;
      const clientId = await aDownloadsClient(service, 10, second.appId);
      const ask = () => fetchAnswer(`${metricsUrl}${path}?id=${clientId}&start=2026-01-15&end=2026-01-15`);
      const downloads = (answer: ServiceReply) => at(answer.json, "data", "downloadsData");
      const without = await ask();
      expect(at(without.json, "data", "result")).toBe("success");
      await expectOk(host.downloads.upsert([[aCount({ appId: demo.appId, newDownloads: 7_391 })]]));
      expect(downloads(await ask())).toEqual(downloads(without));
    },
  );

  it.each(PAY_CHANNELS)(
    "POST /notify: a genuine %s notification changes nothing at another app's address",
    async (payChannel) => {
      const service = await start();
      const { demo, second, host } = service;
      const purchase = aPurchase({ payChannel });
      const order = await created(service, demo, purchase);
      const others = await created(service, second, purchase);
      host.wallets[payChannel].pay(order.id);
      expectRefused(service, payChannel, await deliver(service, others, notificationOf(service, order)));
      expect((await storedOrder(service, demo, order.bizNo)).paymentStatus).toBe("PENDING");
      expect((await storedOrder(service, second, order.bizNo)).paymentStatus).toBe("PENDING");
    },
  );

  it.each(PAY_CHANNELS)("GET /return/%s reveals nothing about any order", async (payChannel) => {
    const service = await start();
    const { order } = await anOwner(service);
    const page = (query: string) => fetchAnswer(`${service.notificationsUrl}/return/${payChannel}${query}`);
    const result = await page(`?out_trade_no=${order.id}`);
    expect(result.status).toBe(200);
    expect(result.text).toBe((await page("")).text);
  });
}

/**
 * Returns a response without the parts that differ each time.
 *
 * These are the trace id, the date, the content length, and the values that a wallet returned for
 * an order.
 */
function bare({ status, headers, text, data, traceId }: ServiceReply) {
  const kept = [...headers].filter(([name]) => !["x-trace-id", "date", "content-length"].includes(name));
  const output = text.replace(String(traceId), "");
  const forOrder = at(data, "out_trade_no") !== undefined || at(data, "prepayid") !== undefined;
  return {
    status,
    kept,
    output: forOrder ? output.replace(JSON.stringify(data), membersOf(data).join()) : output,
  };
}
