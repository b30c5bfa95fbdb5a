import { once } from "node:events";
import { createServer } from "node:http";
import { parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { aShop } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";

/** A service in this process. */
export interface Service {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appSecret: string;
  /** Creates a paid order. */
  createPaid(order: {
    readonly bizNo: string;
    readonly customerIdentity: string;
    readonly amount: number;
  }): Promise<void>;
  /** Refunds the whole order. */
  refund(bizNo: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service with its data in memory. */
export async function startService(): Promise<Service> {
  const shop = await aShop();
  const server = createServer(nodeListener({ "/pay": limitedSurfaces(shop.ports).payments }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const { ports, app, appSecret } = shop;
  return {
    baseUrl: `http://127.0.0.1:${String(address.port)}/pay`,
    appId: app.appId,
    appSecret,
    createPaid: async (order) => {
      const { order: placed } = await shop.placeOrder({ ...order, payChannel: "WALLET_A" });
      await shop.wallets.WALLET_A.notify(placed);
    },
    refund: async (bizNo) => {
      const asked = { bizNo, refundNo: "all", reason: "test", operator: "test" };
      const input = parseInput(refundOrderInput(ports.policy), asked);
      const refunded = await input.asyncAndThen((valid) => refundOrder(ports, app.appId, valid));
      if (refunded.isErr()) throw new Error(`The refund failed: ${refunded.error.name}`);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
