import {
  configurePayTool,
  createApp,
  orThrow,
  parseInput,
  type Ports,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { type HttpReply, type HttpRequest, limitedSurfaces, type Surfaces } from "@tillkit/core/http";
import { type MemoryPorts, memoryPorts } from "@tillkit/memory";

/** Ports whose wallets a program controls. The other ports may be any. */
export type DemoPorts = Ports & Pick<MemoryPorts, "wallets">;

/**
 * Creates the surfaces of a demo shop on ports in memory.
 *
 * They also answer three paths, with which a client acts as the shop's owner and as the customer:
 * - `GET /demo/app`: the credentials of the shop's app
 * - `POST /demo/pay/{bizNo}`: the customer pays; returns the wallet's notification, unsent
 * - `POST /demo/refund/{bizNo}`: the operator refunds the whole order
 */
export async function demoSurfaces(ports: DemoPorts = memoryPorts()): Promise<Surfaces> {
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Demo" }));
  const { appId } = app;
  const account = { accountId: "1900000001", walletAppId: "wx0000000000000001", credentials: {} };
  const registered = { appName: "Demo", appPackageName: "com.example.demo", appSignature: "0a1b2c" };
  const payTool = { payChannel: "WALLET_A", appEnv: "DEV", ...account, ...registered } as const;
  await orThrow(configurePayTool(ports, appId, payTool));

  async function pay(bizNo: string) {
    const order = await orThrow(ports.orders.find({ appId, bizNo }));
    if (order === undefined) throw new Error(`There is no order ${bizNo}.`);
    ports.wallets.WALLET_A.pay(order.id);
    const { headers, body } = ports.wallets.WALLET_A.notificationFor(order.id);
    const text = new TextDecoder().decode(body);
    return { path: new URL(order.notifyUrl).pathname, headers: Object.fromEntries(headers), body: text };
  }

  async function refund(bizNo: string) {
    const asked = { bizNo, refundNo: "demo-1", reason: "demo", operator: "demo" };
    const input = orThrow(parseInput(refundOrderInput(ports.policy), asked));
    return { refunded: (await orThrow(refundOrder(ports, appId, input))).amount };
  }

  async function control({ path }: HttpRequest): Promise<HttpReply<string>> {
    const [, , action, bizNo = ""] = path.split("/");
    const found =
      action === "pay" ? await pay(bizNo) : action === "refund" ? await refund(bizNo) : { appId, appSecret };
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: JSON.stringify(found) };
  }

  const { metrics, ...surfaces } = limitedSurfaces(ports);
  const isControl = (path: string) => path.startsWith("/demo/");
  return {
    ...surfaces,
    metrics: {
      maxRequestBytes: 0,
      owns: (method, path) => isControl(path) || metrics.owns(method, path),
      handle: (request) => (isControl(request.path) ? control(request) : metrics.handle(request)),
    },
  };
}
