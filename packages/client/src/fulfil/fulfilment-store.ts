/** What a customer agreed to buy, recorded before the order is created. */
export interface Purchase {
  /** The number of the order. */
  readonly bizNo: string;
  /** At most 256 characters. Empty if your app has no accounts. */
  readonly customerIdentity: string;
  /** Cents. */
  readonly amount: number;
  /** Your own text, such as the id of a product. At most 4,096 characters. */
  readonly data: string;
}

/**
 * The status of a purchase.
 *
 * REGISTERED becomes GRANTING and then GRANTED. A refund makes it REVOKING and then REVOKED.
 */
export type PurchaseStatus = "REGISTERED" | "GRANTING" | "GRANTED" | "REVOKING" | "REVOKED";

/** A purchase with its status. Times are epoch milliseconds. */
export interface StoredPurchase extends Purchase {
  readonly status: PurchaseStatus;
  /** When the purchase entered its status. */
  readonly since: number;
  /** Whether the grant took effect, or may have. */
  readonly mayBeGranted: boolean;
  /** The process that is granting or revoking. Absent otherwise. */
  readonly claimId?: string;
  /** When another process may take the claim over. */
  readonly claimUntil?: number;
  /** When the order is read next. Absent if it is not read again. */
  readonly checkAt?: number;
}

/** A claim of one process to grant or to revoke. */
export interface PurchaseClaim {
  readonly id: string;
  readonly to: "GRANTING" | "REVOKING";
  readonly now: number;
  readonly until: number;
}

/** The end of a claim. */
export interface PurchaseOutcome {
  readonly claimId: string;
  readonly to: "GRANTED" | "REVOKED";
  readonly now: number;
  /** When the order is read next. Absent if it is not read again. */
  readonly checkAt?: number | undefined;
}

/**
 * Stores purchases. Every method is one atomic step, also between processes.
 *
 * `fulfilmentStoreContract` of `@tillkit/client/fulfil/contract` tests an implementation. `Tx` is
 * what an effect receives to take part in the transaction of {@link FulfilmentStore.complete}.
 */
export interface FulfilmentStore<Tx> {
  /** Stores the purchase as REGISTERED unless its `bizNo` exists. Returns the stored purchase. */
  insertOnce(purchase: Purchase, now: number, checkAt: number | undefined): Promise<StoredPurchase>;
  find(bizNo: string): Promise<StoredPurchase | undefined>;
  /**
   * Gives one process the right to grant or to revoke, until `claim.until`.
   *
   * GRANTING follows REGISTERED. REVOKING follows REGISTERED and GRANTED. An expired claim to grant
   * can be taken over to grant or to revoke, and an expired claim to revoke only to revoke. Sets
   * `checkAt` to the end of the claim. A claim that takes over a claim of the same kind keeps
   * `since`. Returns the purchase with the claim. Returns `undefined` if the status does not allow
   * the claim, or if another process is changing the purchase at this moment.
   */
  claim(bizNo: string, claim: PurchaseClaim): Promise<StoredPurchase | undefined>;
  /**
   * Runs the effect and stores the outcome.
   *
   * Returns false, if possible without running the effect, if the purchase no longer has the claim
   * `outcome.claimId`. A store with transactions runs the effect and stores the outcome in one
   * transaction. Meanwhile no other process can take the claim over, so the effect happens exactly
   * once. If the effect rejects, the promise rejects with the same error and the claim stays.
   */
  complete(bizNo: string, outcome: PurchaseOutcome, effect: (tx: Tx) => Promise<void>): Promise<boolean>;
  /**
   * Ends the claim at `now`, so that another process can take it over at once, and sets `checkAt`.
   */
  release(bizNo: string, claimId: string, now: number, checkAt: number): Promise<void>;
  /**
   * Returns up to `limit` purchases whose `checkAt` has come, the longest due first.
   *
   * Sets their `checkAt` to `until`, so that another process does not check them meanwhile.
   */
  takeDue(now: number, limit: number, until: number): Promise<readonly StoredPurchase[]>;
  /** Sets when the order is read next, if the purchase still has this status. */
  schedule(bizNo: string, status: PurchaseStatus, checkAt: number | undefined): Promise<void>;
}

/** The statuses that a claim may follow at once. */
export const CLAIM_FOLLOWS = {
  GRANTING: ["REGISTERED"],
  REVOKING: ["REGISTERED", "GRANTED"],
} as const satisfies Record<PurchaseClaim["to"], readonly PurchaseStatus[]>;

/** The statuses whose expired claim a claim may take over. */
export const CLAIM_TAKES_OVER = {
  GRANTING: ["GRANTING"],
  REVOKING: ["GRANTING", "REVOKING"],
} as const satisfies Record<PurchaseClaim["to"], readonly PurchaseStatus[]>;
