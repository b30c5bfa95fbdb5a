import { configurePayTool, createApp, newId, type Wallet } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts, type MemoryPorts, testClock } from "@tillkit/memory";
import { expect, it, onTestFinished } from "vitest";
import { openLogger } from "../log/logger.js";
import { openTelemetry } from "../telemetry/telemetry.js";
import { listenApi } from "../testing/listen-api.js";
import { openWallets, payerAddress } from "./wallets.js";

/** Opens a host behind one proxy, and a caller of one of its apps. */
async function openApi(ports: MemoryPorts, wallet: Wallet) {
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const server = await listenApi(
    { ...ports, wallets: { ...ports.wallets, WALLET_A: wallet } },
    { trustProxy: 1, concurrency: { maxConcurrent: 1, maxQueued: 0 } },
    openLogger("error", { write: () => undefined }),
    openTelemetry({}),
  );
  onTestFinished(() => server.close());
  const orderInBrowser = async (bizNo: string, headers: Readonly<Record<string, string>>) => {
    const terms = { bizNo, customerIdentity: "c", amount: 1, goodsTitle: "Tea" };
    const response = await fetch(`http://127.0.0.1:${server.port}/pay/order.json`, {
      method: "POST",
      headers: { APP_ID: app.appId, APP_SECRET: appSecret, "x-forwarded-for": "198.51.100.9", ...headers },
      body: JSON.stringify({ ...terms, payChannel: "WALLET_A", paySource: "H5" }),
    });
    const answer: unknown = await response.json();
    return answer;
  };
  return { app, orderInBrowser };
}

const account = {
  accountId: "1900000109",
  walletAppId: "wx8888888888888888",
  payChannel: "WALLET_A",
  appName: "Notes",
  appPackageName: "example.notes",
  appSignature: "",
  credentials: {},
} as const;

it("passes a wallet the customer's address from the header `x-payer-client-ip` only", async () => {
  const addresses: (string | undefined)[] = [];
  const ports = memoryPorts();
  const { WALLET_A } = ports.wallets;
  const watched: Wallet = {
    ...WALLET_A,
    prepare: (...call) => {
      addresses.push(payerAddress.getStore());
      return WALLET_A.prepare(...call);
    },
  };
  const { app, orderInBrowser } = await openApi(ports, watched);
  await expectOk(configurePayTool(ports, app.appId, { ...account, appEnv: "DEV" }));
  for (const address of ["203.0.113.7", "2001:db8::7"])
    expect(await orderInBrowser(address, { "X-Payer-Client-Ip": address })).toMatchObject({ code: 0 });
  expect(await orderInBrowser("none", {})).toMatchObject({ code: 0 });
  expect(addresses).toEqual(["203.0.113.7", "2001:db8::7", undefined]);
});

it("names the header for the customer's address in the failure, and does not call the wallet", async () => {
  const ports = memoryPorts({ clock: testClock(Date.now()) });
  const live = await openWallets({ wallets: "live", gateways: { WALLET_A: {}, WALLET_B: {} } });
  onTestFinished(() => live.close());
  const { app, orderInBrowser } = await openApi(ports, live.wallets.WALLET_A);
  const now = ports.clock.now();
  const record = { id: newId(ports), appId: app.appId, gmtCreate: now, gmtModified: now };
  await expectOk(ports.payTools.put({ ...account, ...record, appEnv: "PROD", signStatus: "OK" }));
  const refusal = {
    code: 10015,
    msg: "H5 needs the public IP address of the customer: send it as x-payer-client-ip",
  };
  expect(await orderInBrowser("b-1", {})).toMatchObject(refusal);
  for (const address of ["10.0.0.7", "::ffff:127.0.0.1", "198.51.100.9, 203.0.113.7", "unknown"])
    expect(await orderInBrowser("b-1", { "x-payer-client-ip": address })).toMatchObject(refusal);
  // With a public address, the order passes the check of the address and fails only on the missing
  // credentials.
  expect(await orderInBrowser("b-1", { "x-payer-client-ip": "114.114.114.7" })).toMatchObject({
    code: 30001,
  });
  const order = await expectOk(ports.orders.find({ appId: app.appId, bizNo: "b-1" }));
  expect(JSON.stringify(order)).not.toContain("114.114.114.7");
});
