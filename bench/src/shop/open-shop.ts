import { randomBytes } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { configurePayTool, type ConfigurePayToolInput, createApp, orThrow } from "@tillkit/core";
import { migrate, pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import { nodeDigest, systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";
import { SCHEMA, type ShopFacts } from "./shop-facts.js";

/** A database with one app that accepts payments, and the facts for its servers. */
export interface Shop {
  readonly facts: ShopFacts;
  /** The ids of the app's pay tools, in the order given. */
  readonly payToolIds: readonly string[];
  readonly sql: SqlClient;
}

/** Migrates the database at `databaseUrl` and creates the app. `gateways` are those of WALLET_A. */
export async function openShop(
  databaseUrl: string,
  payTools: readonly ConfigurePayToolInput[] = [],
  gateways: { readonly DEV?: string } = {},
): Promise<Shop> {
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 2 }), { statementMs: 0 });
  await orThrow(migrate({ sql, schema: SCHEMA }));
  const [pepper, credentialKey] = [randomBytes(32), randomBytes(32)];
  const ports = {
    ...postgresStores({ sql, schema: SCHEMA, credentialKeys: [{ version: 1, key: credentialKey }] }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest({ peppers: [{ version: 1, key: pepper.toString("base64") }] }),
    wallets: {
      WALLET_A: wechatPayWallet({ clock: systemClock, random: systemRandom, gateways }),
      WALLET_B: alipayWallet({ clock: systemClock }),
    },
  };
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Bench" }));
  const payToolIds: string[] = [];
  for (const input of payTools) {
    const { payTool, problems } = await orThrow(configurePayTool(ports, app.appId, input));
    if (problems.length > 0) throw new Error(problems.join("\n"));
    payToolIds.push(payTool.id);
  }
  const facts = {
    databaseUrl,
    appId: app.appId,
    appSecret,
    pepper: pepper.toString("base64"),
    credentialKey: credentialKey.toString("base64"),
  };
  return { facts, payToolIds, sql };
}
