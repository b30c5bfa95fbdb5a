import { alipayWallet } from "@tillkit/alipay";
import { defaultPolicy, type Ports } from "@tillkit/core";
import { paymentsRouter } from "@tillkit/express";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { nodeDigest, silentObserver, systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express from "express";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../harness/be-server.js";
import { POOL_MAX, SCHEMA, shopFacts } from "../shop/shop-facts.js";

const facts = shopFacts.extend({
  binding: z.literal("express"),
  /** Where a DEV pay tool's WALLET_A is. */
  walletA: z.string().optional(),
});

/** Ours, as a host would put it together: the payments endpoints on PostgreSQL. */
beServer(async (given) => {
  const { databaseUrl, pepper, credentialKey, walletA } = facts.parse(given);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });
  const credentialKeys = [{ version: 1, key: Uint8Array.from(Buffer.from(credentialKey, "base64")) }];
  const gateways = walletA === undefined ? {} : { DEV: walletA };
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
    notificationsUrl: "https://pay.example/wallets",
  };
  return express().use(paymentsRouter(ports));
});
