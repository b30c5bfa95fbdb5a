import type { INestApplication } from "@nestjs/common";
import { Test } from "@nestjs/testing";
import { TillkitClient } from "@tillkit/client";
import { memoryFulfilmentStore } from "@tillkit/client/fulfil";
import { limitedSurfaces } from "@tillkit/core/http";
import { fetchHandler } from "@tillkit/fetch";
import { onEvent } from "@tillkit/host";
import { aShop } from "@tillkit/memory";
import { refundAsOperator } from "@tillkit/sandbox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ShopController } from "../src/shop.controller.ts";
import { openShop, type Shop } from "../src/shop.ts";

let tillkit: Awaited<ReturnType<typeof aShop>>;
let shop: Shop;
let app: INestApplication;
let granted: string[];
let events: ReturnType<typeof onEvent> | undefined;

const call = async (method: string, path: string) =>
  (await fetch(`${await app.getUrl()}${path}`, { method })).json();

beforeEach(async () => {
  granted = [];
  tillkit = await aShop();
  const api = fetchHandler({ "/pay": limitedSurfaces(tillkit.ports).payments });
  shop = openShop({
    client: new TillkitClient({
      appId: tillkit.app.appId,
      appSecret: tillkit.appSecret,
      baseUrl: "https://pay.example/pay",
      fetch: (url, init) => api(new Request(url, init)),
    }),
    store: memoryFulfilmentStore(),
    now: () => tillkit.ports.clock.now(), // so that `tillkit.advance` moves it
    grant: async ({ bizNo }) => void granted.push(bizNo),
    revoke: async ({ bizNo }) => void granted.push(`revoked ${bizNo}`),
  });
  const providers = [{ provide: "shop", useValue: shop }];
  const module = await Test.createTestingModule({ controllers: [ShopController], providers }).compile();
  app = module.createNestApplication();
  await app.listen(0, "127.0.0.1");
});
afterEach(() => Promise.all([events?.stop(), app.close(), tillkit.end()]));

it("sells a month, grants it once when it is paid, and revokes it when it is refunded", async () => {
  events = onEvent(tillkit.ports, { name: "shop", handle: shop.onOrder });
  await events.runNow();
  const { bizNo } = await call("POST", "/buy/u1");
  await tillkit.wallets.WALLET_A.forge({ bizNo }); // a notification without the wallet's signature
  expect(await call("GET", `/bought/u1/${bizNo}`)).toEqual({ outcome: "not-paid", paymentStatus: "PENDING" });
  await tillkit.wallets.WALLET_A.notify({ bizNo });
  await events.runNow();
  expect(await call("GET", `/bought/u1/${bizNo}`)).toEqual({ outcome: "granted-before" });
  expect(granted).toEqual([bizNo]);
  expect((await refundAsOperator(tillkit.ports, { bizNo })).isOk()).toBe(true);
  await events.runNow();
  expect(granted).toEqual([bizNo, `revoked ${bizNo}`]);
});

it("makes one order if the wallet's answer is lost", async () => {
  tillkit.faults.loseAnswer("WALLET_A", "prepare");
  const { bizNo } = await shop.buy({ customerIdentity: "u1" });
  await tillkit.wallets.WALLET_A.notify({ bizNo });
  expect(await shop.check("u1", bizNo)).toEqual({ outcome: "granted" });
});
