import { PAY_CHANNELS } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { type ServiceReply, fetchAnswer } from "../../support/http/caller.js";
import { ANY_TEXT, aTextLike } from "../../support/http/json.js";
import {
  aPurchase,
  created,
  expectAccepted,
  notificationOf,
  storedOrder,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const STATUS_MODES = ["always-200", "standard"] as const;

/** Paths and methods below each surface that are not endpoints. */
const UNKNOWN = {
  payments: [
    ["POST", "/notify/WALLET_A/tool/Yg"],
    ["POST", "/payTools.json"],
    ["POST", "/"],
    ["GET", "/none.json"],
    ["PUT", "/order.json"],
    ["OPTIONS", "/order.json"],
  ],
  notifications: [
    ["POST", "/"],
    ["POST", "/none"],
    ["POST", "/notify"],
    ["POST", "/notify/WALLET_A"],
    ["POST", "/notify/WALLET_C/tool/Yg"],
    ["POST", "/NOTIFY/WALLET_A/tool/Yg"],
    ["POST", "/notify/WALLET_A/tool/Yg//"],
    ["POST", "/notify/WALLET_A/tool/Yg/more"],
    ["POST", "/notify/WALLET_A/tool/%59g"],
    ["POST", "/return/WALLET_B"],
    ["POST", "/order.json"],
    ["GET", "/notify/WALLET_A/tool/Yg"],
    ["PUT", "/notify/WALLET_A/tool/Yg"],
    ["GET", "/return/WALLET_C"],
  ],
  metrics: [
    ["POST", "/misc/downloads-api"],
    ["POST", "/misc/v2/downloads-api"],
    ["PUT", "/misc/downloads-api"],
    ["GET", "/misc/v3/downloads-api"],
    ["POST", "/misc/notify/WALLET_A/tool/Yg"],
    ["GET", "/misc"],
  ],
} as const;

function urlOf(surface: keyof typeof UNKNOWN, { baseUrl, metricsUrl, notificationsUrl }: Service): string {
  return { payments: baseUrl, metrics: metricsUrl, notifications: notificationsUrl }[surface];
}

const cases = [
  ...UNKNOWN.payments.map((one) => ["payments", ...one] as const),
  ...UNKNOWN.notifications.map((one) => ["notifications", ...one] as const),
  ...UNKNOWN.metrics.map((one) => ["metrics", ...one] as const),
];

/**
 * Tests that an unknown endpoint returns HTTP 404.
 *
 * A wallet must not take the response for an acknowledgement.
 */
export function unknownEndpointsContract(start: StartService): void {
  describe.each(STATUS_MODES)('with statusMode "%s"', (statusMode) => {
    it.each(cases)("%s answers 404 and 10014: %s %s", async (surface, method, path) => {
      const service = await start({ policy: { statusMode } });
      const body = method === "GET" ? {} : { body: "{}" };
      expectNotFound(await fetchAnswer(`${urlOf(surface, service)}${path}`, { method, ...body }));
    });

    it.each(PAY_CHANNELS)(
      "a genuine %s notification is acknowledged at its own address only",
      async (payChannel) => {
        const service = await start({ policy: { statusMode } });
        const order = await created(service, service.demo, aPurchase({ payChannel }));
        walletOf(service, order).pay(order.id);
        const { headers, body } = notificationOf(service, order);
        const path = order.notifyUrl.slice(service.ports.notificationsUrl.length);
        const { metricsUrl: origin, baseUrl, notificationsUrl } = service;
        const wrong = [
          `${baseUrl}${path}`,
          `${notificationsUrl}${path}//`,
          `${notificationsUrl}/${path}`,
          `${notificationsUrl}/wallets${path}`,
          `${notificationsUrl}${path.slice("/notify".length)}`,
          `${notificationsUrl}/return/${payChannel}`,
          `${origin}/misc/v2/downloads-api`,
          `${origin}${path}`,
          baseUrl,
          notificationsUrl,
        ];
        for (const url of wrong) {
          const answer = await fetchAnswer(url, { method: "POST", headers, body: Uint8Array.from(body) });
          expect(answer.status, url).toBe(404);
          expect(answer.text, url).not.toMatch(/success/i);
        }
        expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
          paymentStatus: "PENDING",
        });
        const right = `${notificationsUrl}${path}`;
        const taken = await fetchAnswer(right, { method: "POST", headers, body: Uint8Array.from(body) });
        expectAccepted(service, payChannel, taken);
        expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
          paymentStatus: "PAID",
        });
      },
    );
  });
}

function expectNotFound(answer: ServiceReply): void {
  expect(answer.status).toBe(404);
  expect(answer.json).toEqual({ code: 10014, msg: ANY_TEXT, traceId: aTextLike(/^[0-9a-f]{32}$/) });
  expect(answer.headers.get("x-trace-id")).toBe(answer.traceId);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
}
