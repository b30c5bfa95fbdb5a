import type { ProductId } from "./products.js";

/** A purchase as the merchant wrote it down before asking for money: what was agreed, whatever anybody says later. */
export interface Purchase {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly productId: ProductId;
  /** Cents. */
  readonly amount: number;
  readonly payChannel: "WALLET_A" | "WALLET_B";
}

/** The right to use a product, bought with one purchase. */
export interface Entitlement {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly productId: ProductId;
  readonly revoked: boolean;
}

/** The merchant's own records. */
export interface Records {
  /** Writes a purchase down under its new `bizNo`. */
  addPurchase(purchase: Purchase): Promise<void>;
  findPurchase(bizNo: string): Promise<Purchase | undefined>;
  /** Grants what the purchase bought, unless it ever did so before; says whether it was this call that granted it. */
  grantOnce(entitlement: Omit<Entitlement, "revoked">): Promise<boolean>;
  /** Takes back what the purchase bought. The entry stays, so that it cannot be granted again. */
  revoke(bizNo: string): Promise<void>;
  /** What is granted and not revoked. */
  listGranted(customerIdentity?: string): Promise<readonly Entitlement[]>;
}

/**
 * Records in memory. In a database `bizNo` is the primary key of both tables and `grantOnce` is `insert … on conflict do nothing`: of two servers that verify at the
 * same time, one inserts the row.
 */
export function memoryRecords(): Records {
  const purchases = new Map<string, Purchase>();
  const entitlements = new Map<string, Entitlement>();
  return {
    addPurchase: async (purchase) => void purchases.set(purchase.bizNo, purchase),
    findPurchase: async (bizNo) => purchases.get(bizNo),
    grantOnce: async (entitlement) => {
      if (entitlements.has(entitlement.bizNo)) return false;
      entitlements.set(entitlement.bizNo, { ...entitlement, revoked: false });
      return true;
    },
    revoke: async (bizNo) => {
      const entitlement = entitlements.get(bizNo);
      if (entitlement !== undefined) entitlements.set(bizNo, { ...entitlement, revoked: true });
    },
    listGranted: async (customerIdentity) =>
      [...entitlements.values()].filter(
        (one) => !one.revoked && (customerIdentity ?? one.customerIdentity) === one.customerIdentity,
      ),
  };
}
