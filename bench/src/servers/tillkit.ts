import { alipayWallet } from "@tillkit/alipay";
import { defaultPolicy, type Ports } from "@tillkit/core";
import { boundedSurfaces } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import { nodeListener } from "@tillkit/node";
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
  binding: z.enum(["express", "node"]),
  /** The gateway of WALLET_A for DEV pay tools. */
  walletA: z.string().optional(),
  /** How many calls may share a statement. Defaults to the default of the stores. */
  grouping: z.object({ atMost: z.int().min(1) }).exactOptional(),
  /** Whether replies contain the code of an SMS, for the load generator. */
  sms: z.boolean().default(false),
});

/** Serves Tillkit as a host would: every endpoint on PostgreSQL. */
beServer(async (given) => {
  const { databaseUrl, pepper, credentialKey, walletA, sms, binding, grouping } = facts.parse(given);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });
  const credentialKeys = [{ version: 1, key: Uint8Array.from(Buffer.from(credentialKey, "base64")) }];
  const gateways = walletA === undefined ? {} : { DEV: walletA };
  const { around, keep } = keeping();
  const ports: Ports = {
    ...postgresStores({ sql: pgClient(pool), schema: SCHEMA, credentialKeys, ...(grouping && { grouping }) }),
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
  const { metrics, notifications, payments } = boundedSurfaces(ports);
  const listener =
    binding === "node"
      ? nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })
      : express()
          .use("/pay", surfaceRouter(payments))
          .use("/wallets", surfaceRouter(notifications))
          .use(surfaceRouter(metrics));
  return sms ? around(listener) : listener;
});
