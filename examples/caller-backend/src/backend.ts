import { randomUUID } from "node:crypto";
import { isProductId, type ProductId, PRODUCTS } from "./products.js";
import type { Purchase, Records } from "./records.js";
import type { Answer, OrderRecord, ServiceClient } from "./service-client.js";

/** What the app gets to open the wallet with. */
export interface Checkout {
  readonly bizNo: string;
  /** Handed to the wallet's SDK as it is. */
  readonly payload: Readonly<Record<string, string | number>>;
}

/** What came of a verification. Everything but the first two leaves the customer without the product for now. */
export type Verification =
  | { readonly outcome: "granted" | "granted-before" }
  /** Nobody's, or another customer's. */
  | { readonly outcome: "unknown-purchase" }
  | { readonly outcome: "not-paid"; readonly paymentStatus: string }
  /** The service speaks of another purchase than the one that was agreed: a person must look. */
  | { readonly outcome: "mismatch" }
  | { readonly outcome: "failed"; readonly code: number | "unreachable" };

/** The part of a merchant's backend that takes money. `customerIdentity` is the id of the user who is logged in, never a parameter the app sends. */
export interface Backend {
  /** With `browserAddress`, the IP address of the customer's browser, the payment is opened there and not in the app. */
  createPurchase(
    customerIdentity: string,
    productId: ProductId,
    payChannel: Purchase["payChannel"],
    browserAddress?: string,
  ): Promise<Answer<Checkout>>;
  /** Called when the customer comes back from the wallet, and as often as anybody likes after that. */
  verifyPurchase(customerIdentity: string, bizNo: string): Promise<Verification>;
  /** Grants everything the customer has paid, from the service's records: for a lost database or a purchase that nobody verified. */
  restore(customerIdentity: string): Promise<Answer<readonly ProductId[]>>;
  /** Looks for refunds among what is granted, and takes it back. Nobody announces a refund: run it on a timer. */
  revokeRefunded(): Promise<readonly string[]>;
}

/** Puts the backend together. */
export function backend(service: ServiceClient, records: Records, pageSize = 50): Backend {
  return {
    async createPurchase(customerIdentity, productId, payChannel, browserAddress) {
      const { amount, goodsTitle } = PRODUCTS[productId];
      const bizNo = randomUUID();
      // Written down before anything is asked for: whatever gets lost on the way, the money finds its purchase.
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
      // There may be states this program has never heard of; only one of them is proof.
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

/** The product an order was made for: this backend wrote it into `attachData`, which comes back as the JSON object it is. */
function productOf({ attachData }: OrderRecord): ProductId | undefined {
  if (typeof attachData !== "object" || attachData === null || !("productId" in attachData)) return undefined;
  return isProductId(attachData.productId) ? attachData.productId : undefined;
}
