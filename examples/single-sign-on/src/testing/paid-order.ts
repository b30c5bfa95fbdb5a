import { expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  orThrow,
  parseInput,
  receiveNotification,
} from "@tillkit/core";
import type { MemoryPorts } from "@tillkit/memory";

/** Creates an app with an order of six yuan, pays the order, and returns the id of the app. */
export async function aPaidOrder(ports: MemoryPorts, bizNo: string): Promise<string> {
  const { app } = await expectOk(createApp(ports, { name: "Notes" }));
  const tool = { accountId: "m-1", walletAppId: "wx-1", appName: "", appPackageName: "", appSignature: "" };
  const account = { ...tool, payChannel: "WALLET_A", appEnv: "DEV", credentials: {} } as const;
  await expectOk(configurePayTool(ports, app.appId, account));
  const terms = {
    bizNo,
    customerIdentity: "user-1",
    amount: 600,
    goodsTitle: "Month",
    payChannel: "WALLET_A",
  };
  const input = orThrow(parseInput(createOrderInput(ports.policy), terms));
  const { order } = await expectOk(createOrder(ports, app.appId, input));
  const { id, notifyUrl, payToolId, payChannel } = order;
  ports.wallets[payChannel].pay(id);
  const address = { payChannel, payToolId, orderRef: notifyUrl.split("/").at(-1) ?? "" };
  await expectOk(receiveNotification(ports, address, ports.wallets[payChannel].notificationFor(id)));
  return app.appId;
}
