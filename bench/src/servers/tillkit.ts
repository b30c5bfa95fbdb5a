import { alipayWallet } from "@tillkit/alipay";
import { policyWith, type Ports } from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import { nodeListener } from "@tillkit/node";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { nodeDigest, noopObserver, systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express from "express";
import { okAsync } from "neverthrow";
import pg from "pg";
import { z } from "zod";
import { runAsServer } from "../harness/run-as-server.js";
import { capturing } from "../harness/capture.js";
import { POOL_MAX, SCHEMA, shopFacts } from "../shop/shop-facts.js";

const facts = shopFacts.extend({
  binding: z.enum(["express", "node"]),
  /** The gateway of WALLET_A for DEV pay tools. */
  walletA: z.string().optional(),
  /** How many calls may share a statement. Defaults to the default of the stores. */
  batching: z.object({ maxBatchSize: z.int().min(1) }).exactOptional(),
  /** Whether replies contain the code of an SMS, for the load generator. */
  sms: z.boolean().default(false),
});

/** What a row tells this server, without the binding. */
export type TillkitFacts = Omit<z.input<typeof facts>, "binding">;

/** Serves Tillkit as a host would: every endpoint on PostgreSQL. */
runAsServer(async (given) => {
  const { databaseUrl, pepper, credentialKey, walletA, sms, binding, batching } = facts.parse(given);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });
  const credentialKeys = [{ version: 1, key: Uint8Array.from(Buffer.from(credentialKey, "base64")) }];
  const gateways = walletA === undefined ? {} : { DEV: walletA };
  const { around, keep } = capturing();
  const ports: Ports = {
    ...postgresStores({ sql: pgClient(pool), schema: SCHEMA, credentialKeys, ...(batching && { batching }) }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest({ peppers: [{ version: 1, key: pepper }] }),
    observer: noopObserver,
    // The load of a second is larger than that of a shop in an hour.
    policy: policyWith({
      smsPerHourPerApp: 1_000_000,
      smsPerDayPerApp: 1_000_000,
      smsPerHourPerHost: 1_000_000,
      smsPerDayPerHost: 1_000_000,
      smsReserve: 0,
    }),
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
  const { metrics, notifications, payments } = limitedSurfaces(ports);
  const listener =
    binding === "node"
      ? nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })
      : express()
          .use("/pay", surfaceRouter(payments))
          .use("/wallets", surfaceRouter(notifications))
          .use(surfaceRouter(metrics));
  return sms ? around(listener) : listener;
});
