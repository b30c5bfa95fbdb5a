import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  type Order,
  type OrderKey,
  orThrow,
  parseInput,
  type PayChannel,
  receiveNotification,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { syncRefund } from "@tillkit/core/operators";
import { expectOk } from "@tillkit/contract-tests";
import type { memoryPorts } from "@tillkit/memory";

type Ports = ReturnType<typeof memoryPorts>;

/** Creates an app with pay tools at both wallets, and returns its id. */
export async function anApp(ports: Ports, name = "Notes"): Promise<string> {
  const { app } = await expectOk(createApp(ports, { name }));
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    const tool = { accountId: `m-${app.appId}`, walletAppId: "wx-1", appName: "", appPackageName: "" };
    const account = { ...tool, appSignature: "", payChannel, appEnv: "DEV", credentials: {} } as const;
    await expectOk(configurePayTool(ports, app.appId, account));
  }
  return app.appId;
}

/** Creates an order of six yuan. */
export async function anOrder(
  ports: Ports,
  appId: string,
  bizNo: string,
  payChannel: PayChannel = "WALLET_A",
): Promise<Order> {
  const terms = { bizNo, customerIdentity: "user-1", amount: 600, goodsTitle: "Month", payChannel };
  const input = orThrow(parseInput(createOrderInput(ports.policy), terms));
  return (await expectOk(createOrder(ports, appId, input))).order;
}

/** Stores a refund of one yuan that nothing has sent. */
export async function anUnsentRefund(
  { refunds, clock }: Pick<Ports, "refunds" | "clock">,
  { appId, bizNo }: OrderKey,
  refundNo: string,
): Promise<void> {
  const at = clock.now();
  const refund = { appId, bizNo, refundNo, amount: 100, reason: "bought twice", operator: "root" };
  const dated = { ...refund, status: "REQUESTED", gmtCreate: at, gmtModified: at } as const;
  const entry = { type: "REFUND_REQUESTED", at, actor: "operator:root", reason: "", alarm: false } as const;
  await expectOk(refunds.request(dated, { ...entry, refundNo, details: '{"amount":100}' }));
}

/** Makes a refund of one yuan that could not reach the customer of an order of WeChat Pay. */
export async function anAbnormalRefund(
  ports: Ports,
  { id, appId, bizNo }: Order,
  refundNo: string,
): Promise<void> {
  const asked = { bizNo, refundNo, amount: 100, reason: "bought twice", operator: "root" };
  const wallet = ports.wallets.WALLET_A;
  wallet.holdNextRefund();
  const input = orThrow(parseInput(refundOrderInput(ports.policy), asked));
  await expectOk(refundOrder(ports, appId, input));
  wallet.endRefund(id, `${id}-${refundNo}`, "ABNORMAL");
  await expectOk(syncRefund(ports, appId, { bizNo, refundNo }));
}

/** Makes a refund of one yuan at the wallet that is not stored in the ports. */
export async function aConsoleRefund(ports: Ports, order: Order, refundNo: string): Promise<void> {
  const account = await expectOk(ports.payTools.find(order.payToolId));
  if (account === undefined) throw new Error("There is no pay tool.");
  const request = { outTradeNo: order.id, refundNo, amount: 100, orderAmount: 600 };
  const limits = { deadline: 1_000 };
  const wallet = ports.wallets[order.payChannel];
  await expectOk(wallet.refund(account, { ...request, reason: "", notifyUrl: "" }, limits));
}

/** Creates an order of six yuan and pays it. */
export async function aPaidOrder(
  ports: Ports,
  appId: string,
  bizNo: string,
  payChannel: PayChannel = "WALLET_A",
): Promise<Order> {
  const order = await anOrder(ports, appId, bizNo, payChannel);
  const wallet = ports.wallets[payChannel];
  const { id, notifyUrl, payToolId } = order;
  // Alipay knows an order only after the customer has opened it.
  wallet.open(id);
  wallet.pay(id);
  const address = { payChannel, payToolId, orderRef: notifyUrl.split("/").at(-1) ?? "" };
  await expectOk(receiveNotification(ports, address, wallet.notificationFor(id)));
  return order;
}
