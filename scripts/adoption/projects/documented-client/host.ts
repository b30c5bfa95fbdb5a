// A host whose policy names the channels and the stores as its callers do.
import { once } from "node:events";
import { createServer } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  orThrow,
  policyWith,
} from "@tillkit/core";
import { metricsRouter, notificationsRouter, paymentsRouter, surfaceRouter } from "@tillkit/express";
import { createTillkit } from "@tillkit/host";
import { memoryStores } from "@tillkit/memory";
import { openOrCreateKeyring, serverLimits, systemRandom as random } from "@tillkit/runtime";
import { openSandbox, sandboxClock } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express from "express";

const policy = policyWith({
  payChannelNames: { WALLET_A: "wechat", WALLET_B: "alipay" },
  sourceFromTokens: ["huawei", "xiaomi", "oppo", "vivo", "honor", "tencent", "baidu", "samsung"],
  testNumbers: [{ mobileNo: "13800000000", authCode: "246810" }],
});
const app = express();
const server = createServer(serverLimits, app).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const publicUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const clock = sandboxClock();
const sandbox = await openSandbox({ clock });
const { walletA, walletB } = sandbox.addresses;
const tillkit = createTillkit({
  stores: memoryStores(),
  wallets: {
    WALLET_A: wechatPayWallet({ clock, random, gateways: { DEV: walletA } }),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: walletB } })),
  },
  clock,
  policy,
  publicUrl,
  keyring: await orThrow(openOrCreateKeyring("keyring.json")),
  smsSender: sandbox.smsSender,
});
const { ports } = tillkit;
const { app: caller, appSecret } = await orThrow(createApp(ports, { name: "Notes" }));
const { appId } = caller;
for (const tool of Object.values(sandbox.payTools)) await orThrow(configurePayTool(ports, appId, tool));
const type = { serviceTypeNo: "membership", serviceName: "Membership", durationMs: 30 * 86_400_000 };
await orThrow(createServiceType(ports, appId, type));
const client = await orThrow(createDownloadsClient(ports, { appId, dailyLimit: 100 }));
const counts = [
  { appId, store: "huawei", date: "2026-05-01", newDownloads: 5, updateDownloads: 1 },
  { appId, store: "huawei", date: "2026-05-02", newDownloads: 2, updateDownloads: 2 },
];
await orThrow(ports.downloads.upsert([counts]));
app.use("/pay", paymentsRouter(ports));
app.use("/wallets", notificationsRouter(ports));
app.use("/sandbox", surfaceRouter(sandbox.control));
app.use(metricsRouter(ports));
tillkit.start();
console.log(JSON.stringify({ appId, appSecret, clientId: client.clientId }), `listening ${publicUrl} `);
