import { randomUUID } from "node:crypto";
import type { CreateOrderInput, PayPayload, TillkitClient } from "@tillkit/client";
import { createFulfiller, type Fulfiller, type FulfilmentStore } from "@tillkit/client/fulfil";
import type { Entitlements } from "./entitlements.js";
import { isProductId, type ProductId, PRODUCTS } from "./products.js";

/** What the app needs to open the wallet. */
export interface Checkout {
  readonly bizNo: string;
  /** The app passes it to the wallet's SDK unchanged. */
  readonly payload: PayPayload;
}

/**
 * The part of a merchant's backend that takes money.
 *
 * `customerIdentity` is the id of the user who is logged in, never a parameter that the app sends.
 */
export interface Backend extends Pick<Fulfiller, "verify" | "restore" | "checkDue"> {
  /**
   * Records a purchase and creates its order.
   *
   * @param browserAddress - the IP address of the customer's browser. If set, the payment opens in
   *   the browser (`H5`) instead of the app.
   */
  createPurchase(
    customerIdentity: string,
    productId: ProductId,
    payChannel: CreateOrderInput["payChannel"],
    browserAddress?: string,
  ): Promise<Checkout>;
}

/** What the backend uses. */
export interface BackendParts {
  readonly client: TillkitClient;
  readonly store: FulfilmentStore<unknown>;
  readonly entitlements: Entitlements;
  /** When orders are read again, in milliseconds after the grant. Defaults to the fulfiller's. */
  readonly schedule?: readonly number[];
}

/** Creates the backend. */
export function backend({ client, store, entitlements, ...options }: BackendParts): Backend {
  const fulfiller = createFulfiller({
    client,
    store,
    ...options,
    // With the store on PostgreSQL, write through `tx`: then the effect happens exactly once.
    grant: async ({ bizNo, customerIdentity, data }) => entitlements.grant(bizNo, customerIdentity, data),
    revoke: async ({ bizNo }) => entitlements.revoke(bizNo),
    // `attachData` says what was bought, if this database is lost.
    dataOf: ({ attachData }) => productOf(attachData),
  });
  return {
    ...fulfiller,
    async createPurchase(customerIdentity, productId, payChannel, browserAddress) {
      const { amount, goodsTitle } = PRODUCTS[productId];
      const bizNo = randomUUID();
      // Recorded before the order is created, so that a paid order has a purchase even if the
      // response is lost.
      await fulfiller.register({ bizNo, customerIdentity, amount, data: productId });
      const order = { bizNo, amount, goodsTitle, payChannel, customerIdentity } as const;
      const attachData = JSON.stringify({ productId });
      const payload =
        browserAddress === undefined
          ? await client.orders.create({ ...order, attachData, paySource: "APP" })
          : await client.orders.create(
              { ...order, attachData, paySource: "H5" },
              { payerAddress: browserAddress },
            );
      return { bizNo, payload };
    },
  };
}

function productOf(attachData: unknown): ProductId | undefined {
  if (typeof attachData !== "object" || attachData === null || !("productId" in attachData)) return undefined;
  return isProductId(attachData.productId) ? attachData.productId : undefined;
}
