import { PAY_CHANNELS } from "@tillkit/core";
import { notificationRoutes } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import { fetchAnswer } from "../../support/http/caller.js";
import {
  aPurchase,
  created,
  deliver,
  expectAccepted,
  expectRefused,
  notificationOf,
  storedOrder,
  timelineOf,
  walletOf,
} from "../../support/http/purchases.js";
import { anOwner, REQUESTS } from "../../support/http/owner.js";
import type { StartService } from "../../support/http/service.js";

/** Tests that a slash after the path of an endpoint makes no difference, on every surface. */
export function trailingSlashesContract(start: StartService): void {
  it.each(Object.entries(REQUESTS))(
    "%s returns the same answer with a trailing slash",
    async (route, send) => {
      const service = await start();
      const { names } = await anOwner(service);
      const { demo, serviceEvents } = service;
      const slashed = (end: string) => ({
        ...demo,
        get: (path: string, query = {}) => demo.get(`${path}${end}`, query),
        post: (path: string, body: unknown) => demo.post(`${path}${end}`, body),
      });
      const plain = await send(demo, names);
      const pathOf = () => serviceEvents.findLast(({ type }) => type === "request.answered");
      const label = pathOf();
      expect(label).toMatchObject({ path: route.split(" ")[1] });
      const other = await send(slashed("/"), names);
      expect(other.status).toBe(plain.status);
      // The first login has used the code, and a new signature may differ. So only `code` is
      // compared.
      if (route !== "POST /auth.json") expect(other.code).toBe(plain.code);
      else expect(other.code).toBe(10020);
      expect(pathOf()).toMatchObject({ path: route.split(" ")[1] });
      expect(pathOf()).not.toBe(label);
      expect((await send(slashed("//"), names)).code).toBe(10014);
      expect((await send(slashed("%2F"), names)).code).toBe(10014);
    },
  );

  it.each(["/misc/downloads-api", "/misc/v2/downloads-api"])(
    "GET %s is found with a trailing slash",
    async (path) => {
      const { metricsUrl } = await start();
      const plain = await fetchAnswer(`${metricsUrl}${path}`);
      const other = await fetchAnswer(`${metricsUrl}${path}/`);
      expect(plain.text).toContain("MISSING_REQUIRED_QUERY_PARAMS");
      expect([other.status, other.text]).toEqual([plain.status, plain.text]);
      expect((await fetchAnswer(`${metricsUrl}${path}//`)).code).toBe(10014);
    },
  );

  describe.each(PAY_CHANNELS)("the notification address of an order over %s", (payChannel) => {
    it("accepts a genuine notification with a trailing slash, once, and only for its own order", async () => {
      const service = await start();
      const { demo, notificationsUrl, ports } = service;
      const order = await created(service, demo, aPurchase({ payChannel }));
      const other = await created(service, demo, aPurchase({ payChannel }));
      walletOf(service, order).pay(order.id);
      const genuine = notificationOf(service, order);
      const slashed = { ...order, notifyUrl: `${order.notifyUrl}/` };
      const elsewhere = { ...other, notifyUrl: `${other.notifyUrl}/` };
      expectRefused(service, payChannel, await deliver(service, elsewhere, genuine));
      const tampered = Uint8Array.from(genuine.body, (byte, index) => (index === 9 ? byte ^ 1 : byte));
      const forged = { headers: genuine.headers, body: tampered };
      expectRefused(service, payChannel, await deliver(service, slashed, forged));
      expect(await storedOrder(service, demo, order.bizNo)).toEqual(order);
      const path = order.notifyUrl.slice(ports.notificationsUrl.length);
      const twoSlashes = await fetchAnswer(`${notificationsUrl}${path}//`, {
        method: "POST",
        headers: genuine.headers,
        body: Uint8Array.from(genuine.body),
      });
      expect(twoSlashes).toMatchObject({ status: 404, code: 10014 });

      for (const address of [slashed, order, slashed])
        expectAccepted(service, payChannel, await deliver(service, address, genuine));
      expect(await storedOrder(service, demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
      expect(await storedOrder(service, demo, other.bizNo)).toEqual(other);
      expect((await timelineOf(service, order)).map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
    });

    it("returns the page for the customer's browser with and without a trailing slash", async () => {
      const { notificationsUrl } = await start();
      const page = notificationRoutes[1].path.replace("{payChannel}", payChannel);
      const plain = await fetchAnswer(`${notificationsUrl}${page}`);
      const slashed = await fetchAnswer(`${notificationsUrl}${page}/`);
      expect(plain.status).toBe(200);
      expect([slashed.status, slashed.text]).toEqual([plain.status, plain.text]);
    });
  });
}
