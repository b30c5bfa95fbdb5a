import { alipayWallet } from "@tillkit/alipay";
import { configurePayTool, createApp, orThrow } from "@tillkit/core";
import { metricsPlugin, notificationsPlugin, paymentsPlugin, surfacePlugin } from "@tillkit/fastify";
import { createTillkit } from "@tillkit/host";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { openOrCreateKeyring, serverLimits, systemRandom as random } from "@tillkit/runtime";
import { openSandbox, sandboxClock } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import Fastify from "fastify";
import pg from "pg";

const port = Number(process.env["PORT"]);
const clock = sandboxClock();
const sandbox = await openSandbox({ clock });
const { addresses, smsSender } = sandbox;
const publicUrl = `http://127.0.0.1:${port}`;
const sql = pgClient(new pg.Pool({ connectionString: process.env["DATABASE_URL"] }));
await orThrow(migrate({ sql, schema: "tillkit" }));
const keyring = await orThrow(openOrCreateKeyring("keyring.json"));
const stores = postgresStores({ sql, schema: "tillkit", credentialKeys: keyring.credentialKeys });
const wallets = {
  WALLET_A: wechatPayWallet({ clock, random, gateways: { DEV: addresses.walletA } }),
  WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
};
const tillkit = createTillkit({ stores, wallets, clock, keyring, smsSender, publicUrl });
const { ports } = tillkit;
const { app, appSecret } = await orThrow(createApp(ports, { name: "Notes" }));
for (const tool of Object.values(sandbox.payTools)) await orThrow(configurePayTool(ports, app.appId, tool));
const server = Fastify({ http: serverLimits, ...serverLimits });
await server.register(paymentsPlugin(ports), { prefix: "/pay" });
await server.register(notificationsPlugin(ports), { prefix: "/wallets" });
await server.register(metricsPlugin(ports));
await server.register(surfacePlugin(sandbox.control), { prefix: "/sandbox" });
await server.listen({ port, host: "127.0.0.1" });
tillkit.start();
console.log(JSON.stringify({ appId: app.appId, appSecret }), `listening ${publicUrl} `);
process.once("SIGTERM", () => void tillkit.stop().then(() => process.exit()));
