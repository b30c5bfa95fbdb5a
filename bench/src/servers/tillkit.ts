import { alipayWallet } from "@tillkit/alipay";
import { defaultPolicy, type Ports } from "@tillkit/core";
import { metricsRouter, paymentsRouter } from "@tillkit/express";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { nodeDigest, silentObserver, systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express from "express";
import { okAsync } from "neverthrow";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../harness/be-server.js";
import { keeping } from "../harness/keep.js";
import { POOL_MAX, SCHEMA, shopFacts } from "../shop/shop-facts.js";

const facts = shopFacts.extend({
  binding: z.literal("express"),
  /** Where a DEV pay tool's WALLET_A is. */
  walletA: z.string().optional(),
  /** Whether there is a carrier, which hands every code to the load generator. */
  sms: z.boolean().default(false),
});

/** Ours, as a host would put it together: every endpoint on PostgreSQL. */
beServer(async (given) => {
  const { databaseUrl, pepper, credentialKey, walletA, sms } = facts.parse(given);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });
  const credentialKeys = [{ version: 1, key: Uint8Array.from(Buffer.from(credentialKey, "base64")) }];
  const gateways = walletA === undefined ? {} : { DEV: walletA };
  const { middleware, keep } = keeping();
  const ports: Ports = {
    ...postgresStores({ sql: pgClient(pool), schema: SCHEMA, credentialKeys }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest({ peppers: [{ version: 1, key: pepper }] }),
    observer: silentObserver,
    policy: defaultPolicy,
    wallets: {
      WALLET_A: wechatPayWallet({ clock: systemClock, random: systemRandom, gateways }),
      WALLET_B: alipayWallet({ clock: systemClock }),
    },
    smsSender: {
      send: ({ authCode }) => {
        keep(authCode);
        return okAsync(undefined);
      },
    },
    notificationsUrl: "https://pay.example/wallets",
  };
  const app = sms ? express().use(middleware) : express();
  return app.use(metricsRouter(ports)).use(paymentsRouter(ports));
});
