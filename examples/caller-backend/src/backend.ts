import { randomUUID } from "node:crypto";
import { isProductId, type ProductId, PRODUCTS } from "./products.js";
import type { Purchase, Records } from "./records.js";
import type { ServiceAnswer, OrderRecord, ServiceClient } from "./service-client.js";

/** What the app needs to open the wallet. */
export interface Checkout {
  readonly bizNo: string;
  /** The app passes it to the wallet's SDK unchanged. */
  readonly payload: Readonly<Record<string, string | number>>;
}

/**
 * The outcome of a verification. Only `granted` and `granted-before` give the customer the product.
 */
export type Verification =
  | { readonly outcome: "granted" | "granted-before" }
  /** The purchase does not exist or belongs to another customer. */
  | { readonly outcome: "unknown-purchase" }
  | { readonly outcome: "not-paid"; readonly paymentStatus: string }
  /** The order differs from the purchase that was agreed. A person must look. */
  | { readonly outcome: "mismatch" }
  | { readonly outcome: "failed"; readonly code: number | "unreachable" };

/**
 * The part of a merchant's backend that takes money.
 *
 * `customerIdentity` is the id of the user who is logged in, never a parameter that the app sends.
 */
export interface Backend {
  /**
   * Creates a purchase and its order.
   *
   * @param browserAddress - the IP address of the customer's browser. If set, the payment opens in
   *   the browser (`H5`) instead of the app.
   */
  createPurchase(
    customerIdentity: string,
    productId: ProductId,
    payChannel: Purchase["payChannel"],
    browserAddress?: string,
  ): Promise<ServiceAnswer<Checkout>>;
  /**
   * Verifies a purchase when the customer returns from the wallet.
   *
   * Safe to call any number of times.
   */
  verifyPurchase(customerIdentity: string, bizNo: string): Promise<Verification>;
  /**
   * Grants everything that the customer has paid, according to the service's records.
   *
   * For a lost database, or for purchases that were never verified.
   */
  restore(customerIdentity: string): Promise<ServiceAnswer<readonly ProductId[]>>;
  /**
   * Finds refunds of granted purchases and revokes what they bought.
   *
   * Run it on a timer: the service does not announce refunds.
   */
  revokeRefunded(): Promise<readonly string[]>;
}

/** Creates the backend. */
export function backend(service: ServiceClient, records: Records, pageSize = 50): Backend {
  return {
    async createPurchase(customerIdentity, productId, payChannel, browserAddress) {
      const { amount, goodsTitle } = PRODUCTS[productId];
      const bizNo = randomUUID();
      // Stored before the order is created: if a response is lost, the purchase of a payment is
      // still known.
      await records.addPurchase({ bizNo, customerIdentity, productId, amount, payChannel });
      const attachData = JSON.stringify({ productId });
      const paySource = browserAddress === undefined ? "APP" : "H5";
      const request = {
        bizNo,
        amount,
        goodsTitle,
        payChannel,
        paySource,
        customerIdentity,
        attachData,
      } as const;
      const answer = await service.createOrder(request, browserAddress);
      return answer.ok ? { ok: true, data: { bizNo, payload: answer.data } } : answer;
    },

    async verifyPurchase(customerIdentity, bizNo) {
      const purchase = await records.findPurchase(bizNo);
      if (purchase?.customerIdentity !== customerIdentity) return { outcome: "unknown-purchase" };
      const answer = await service.getOrder(bizNo, customerIdentity);
      if (!answer.ok) return { outcome: "failed", code: answer.code };
      const { paymentStatus, amount } = answer.data;
      if (answer.data.bizNo !== bizNo || amount !== purchase.amount) return { outcome: "mismatch" };
      // The service may add statuses that this program does not know. Only PAID proves a payment.
      if (paymentStatus !== "PAID") return { outcome: "not-paid", paymentStatus };
      const { productId } = purchase;
      const granted = await records.grantOnce({ bizNo, customerIdentity, productId });
      return { outcome: granted ? "granted" : "granted-before" };
    },

    async restore(customerIdentity) {
      const restored: ProductId[] = [];
      for (let pageNum = 1; ; pageNum += 1) {
        const page = await service.listPaid(customerIdentity, pageNum, pageSize);
        if (!page.ok) return page;
        for (const order of page.data.payOrderList) {
          const productId = productOf(order);
          if (productId === undefined) continue;
          const granted = await records.grantOnce({ bizNo: order.bizNo, customerIdentity, productId });
          if (granted) restored.push(productId);
        }
        const { payOrderList, totalCount } = page.data;
        if (payOrderList.length === 0 || pageNum * pageSize >= totalCount)
          return { ok: true, data: restored };
      }
    },

    async revokeRefunded() {
      const revoked: string[] = [];
      for (const { bizNo, customerIdentity } of await records.listGranted()) {
        const answer = await service.getOrder(bizNo, customerIdentity);
        if (!answer.ok || answer.data.paymentStatus !== "REFUND") continue;
        await records.revoke(bizNo);
        revoked.push(bizNo);
      }
      return revoked;
    },
  };
}

/** Returns the product of an order, which this backend wrote into `attachData`. */
function productOf({ attachData }: OrderRecord): ProductId | undefined {
  if (typeof attachData !== "object" || attachData === null || !("productId" in attachData)) return undefined;
  return isProductId(attachData.productId) ? attachData.productId : undefined;
}
