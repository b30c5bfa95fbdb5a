import type { ProductId } from "./products.js";

/** A purchase as the merchant stored it before creating the order. It records what was agreed. */
export interface Purchase {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly productId: ProductId;
  /** In cents. */
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
  /** Stores a purchase under its new `bizNo`. */
  addPurchase(purchase: Purchase): Promise<void>;
  findPurchase(bizNo: string): Promise<Purchase | undefined>;
  /**
   * Grants what the purchase bought, unless it was ever granted before.
   *
   * @returns whether this call granted it.
   */
  grantOnce(entitlement: Omit<Entitlement, "revoked">): Promise<boolean>;
  /**
   * Revokes what the purchase bought.
   *
   * The entry stays, so that the purchase cannot be granted again.
   */
  revoke(bizNo: string): Promise<void>;
  /** Lists the entitlements that are not revoked, of one customer or of all. */
  listGranted(customerIdentity?: string): Promise<readonly Entitlement[]>;
}

/**
 * Creates records in memory.
 *
 * In a database, `bizNo` is the primary key of both tables, and `grantOnce` is
 * `insert … on conflict do nothing`. If two servers verify at the same time, only one inserts the
 * row.
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
