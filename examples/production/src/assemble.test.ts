import { configurePayTool, createApp, type Wallet } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { expect, it, onTestFinished } from "vitest";
import { assembleApp } from "./assemble.js";
import { listen } from "./http-server.js";
import { openLogger } from "./logger.js";
import { payerAddress } from "./wallets.js";

it("lets a wallet know from which address an order is made, behind a proxy too", async () => {
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
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  await expectOk(
    configurePayTool(ports, app.appId, {
      accountId: "1900000109",
      walletAppId: "wx8888888888888888",
      payChannel: "WALLET_A",
      appEnv: "DEV",
      appName: "Notes",
      appPackageName: "example.notes",
      appSignature: "",
      credentials: {},
    }),
  );
  const host = assembleApp(
    { ...ports, wallets: { ...ports.wallets, WALLET_A: watched } },
    { trustProxy: 1, bounds: { atOnce: 1, waiting: 0 } },
    openLogger("error", { write: () => undefined }),
    () => undefined,
  );
  const server = await listen(host, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  for (const address of ["203.0.113.7", "2001:db8::7"]) {
    const terms = { bizNo: address, customerIdentity: "c", amount: 1, goodsTitle: "Tea" };
    const response = await fetch(`http://127.0.0.1:${server.port}/pay/order.json`, {
      method: "POST",
      headers: { APP_ID: app.appId, APP_SECRET: appSecret, "x-forwarded-for": address },
      body: JSON.stringify({ ...terms, payChannel: "WALLET_A", paySource: "H5" }),
    });
    expect(await response.json()).toMatchObject({ code: 0 });
  }
  expect(addresses).toEqual(["203.0.113.7", "2001:db8::7"]);
});
