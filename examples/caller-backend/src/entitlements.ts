/** The right to use a product, bought with one purchase. */
export interface Entitlement {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly productId: string;
}

/** The merchant's own record of who may use what. */
export interface Entitlements {
  grant(bizNo: string, customerIdentity: string, productId: string): void;
  revoke(bizNo: string): void;
  /** Lists what the customer may use. */
  list(customerIdentity: string): readonly Entitlement[];
}

/** Creates a record in memory. Throws if a purchase is granted twice. */
export function memoryEntitlements(): Entitlements {
  const granted = new Map<string, Entitlement>();
  return {
    grant(bizNo, customerIdentity, productId) {
      if (granted.has(bizNo)) throw new Error(`The purchase ${bizNo} was granted twice.`);
      granted.set(bizNo, { bizNo, customerIdentity, productId });
    },
    revoke(bizNo) {
      granted.delete(bizNo);
    },
    list: (customerIdentity) =>
      [...granted.values()].filter((one) => one.customerIdentity === customerIdentity),
  };
}
