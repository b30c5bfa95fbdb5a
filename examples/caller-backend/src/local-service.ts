import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import { configurePayTool, createApp, orThrow, type Ports, reconcileOrders } from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { serverLimits, systemRandom } from "@tillkit/runtime";
import { openSandbox, type Sandbox } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";

/** The interval at which the service polls open orders and refunds, in milliseconds. */
const RECONCILE_EVERY = 1_000;
const PAYER_ADDRESS_HEADER = "x-payer-client-ip";

/** A payment service in this process, with an app that takes payments at the sandbox. */
export interface LocalService {
  /** The address of the payments endpoints, and the credentials of the app. */
  readonly facts: { readonly baseUrl: string; readonly appId: string; readonly appSecret: string };
  /** The address of the sandbox's control interface. */
  readonly control: string;
  /** For refunds by an operator, for which the API has no endpoint. */
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
}

/** Starts a payment service on a free port, with everything in memory. Rejects if a step fails. */
export async function startLocalService(): Promise<LocalService> {
  const server = createServer(serverLimits);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The service has no port.");
  const origin = `http://127.0.0.1:${String(address.port)}`;

  const sandbox = await openSandbox({ refundTime: 1_000 });
  const payer = new AsyncLocalStorage<string | undefined>();
  const { clock, addresses } = sandbox;
  const ports: Ports = {
    ...memoryPorts(),
    clock,
    random: systemRandom,
    wallets: {
      WALLET_A: wechatPayWallet({
        clock,
        random: systemRandom,
        gateways: { DEV: addresses.walletA },
        payerClientIp: () => payer.getStore(),
        payerClientIpName: PAYER_ADDRESS_HEADER,
      }),
      // This adapter signs payloads without calling the sandbox, so the sandbox must observe them.
      WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
    },
    notificationsUrl: `${origin}/wallets`,
  };
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Shop" }));
  for (const payTool of Object.values(sandbox.payTools))
    await orThrow(configurePayTool(ports, app.appId, payTool));

  const { payments, notifications } = limitedSurfaces(ports);
  const listener = nodeListener({ "/pay": payments, "/wallets": notifications, "/sandbox": sandbox.control });
  server.on("request", (request, response) => {
    const [customer] = [request.headers[PAYER_ADDRESS_HEADER]].flat();
    payer.run(customer, () => {
      listener(request, response);
    });
  });
  const reconciling = setInterval(
    () => void reconcileOrders(ports, 10).match(Boolean, Boolean),
    RECONCILE_EVERY,
  );

  return {
    facts: { baseUrl: `${origin}/pay`, appId: app.appId, appSecret },
    control: `${origin}/sandbox`,
    ports,
    sandbox,
    close: async () => {
      clearInterval(reconciling);
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
      await sandbox.close();
    },
  };
}
