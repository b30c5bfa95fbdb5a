import type { TillkitClient } from "../tillkit-client.js";
import type { Order } from "../types.js";
import type { FulfilmentStore, Purchase, StoredPurchase } from "./fulfilment-store.js";

/** What an effect receives in addition to the purchase. */
export interface EffectContext<Tx> {
  /** The transaction of the store. `undefined` with a store that has no transactions. */
  readonly tx: Tx;
  /** Aborts when another process may take the purchase over. */
  readonly signal: AbortSignal;
}

/** Gives the customer the purchase, or takes it back. */
export type Effect<Tx> = (purchase: Purchase, context: EffectContext<Tx>) => Promise<void>;

/** Options of a fulfiller. Durations are milliseconds. */
export interface FulfillerOptions<Tx> {
  readonly client: { readonly orders: Pick<TillkitClient["orders"], "get" | "list"> };
  readonly store: FulfilmentStore<Tx>;
  /**
   * Gives the customer the purchase.
   *
   * Repeated until it has succeeded once for the `bizNo`; see {@link createFulfiller}.
   */
  readonly grant: Effect<Tx>;
  /**
   * Takes a granted purchase back after a full refund. Repeated until it has succeeded once.
   *
   * Also called after a grant that failed or whose process died, unless the store knows that the
   * grant had no effect. If the grant had no effect, `revoke` must do nothing.
   */
  readonly revoke: Effect<Tx>;
  /**
   * Returns the data of a paid order that is not in the store, or `undefined` to skip the order.
   *
   * `restore` calls it. By default, `restore` skips all such orders.
   */
  readonly dataOf?: (order: Order) => string | undefined;
  /**
   * How long an effect may take before another process repeats it. Defaults to 30,000, at most a
   * day.
   */
  readonly lease?: number;
  /**
   * When the order is read again: periods since the purchase entered its status.
   *
   * The default has 15 reads, from 1 minute to 365 days.
   */
  readonly schedule?: readonly number[];
  /** Returns the current time in epoch milliseconds. For tests. */
  readonly now?: () => number;
}

/**
 * The outcome of a verification.
 *
 * The customer has the purchase only with `granted` and `granted-before`.
 */
export type Verification =
  | { readonly outcome: "granted" | "granted-before" | "revoked" | "unknown-purchase" }
  /** Another process is granting or revoking. Ask again in a second. */
  | { readonly outcome: "in-progress" }
  | { readonly outcome: "not-paid"; readonly paymentStatus: string }
  /** The order has another amount than the purchase. A person must look at it. */
  | { readonly outcome: "mismatch"; readonly order: Order }
  /** The order could not be read, or an effect failed. `checkDue` tries again later. */
  | { readonly outcome: "failed"; readonly error: unknown };

/** The outcomes of `restore` or `checkDue`, by `bizNo`. */
export type CheckedPurchases = ReadonlyMap<string, Verification>;

/** Options of one call. */
export interface FulfilmentCall {
  /** Aborts the requests. */
  readonly signal?: AbortSignal;
}

/** Grants paid purchases, and revokes refunded ones. */
export interface Fulfiller {
  /**
   * Records what the customer agreed to, before you create the order.
   *
   * A repetition returns the stored purchase. Throws a `RangeError` if the same `bizNo` has other
   * terms.
   */
  register(purchase: Purchase): Promise<StoredPurchase>;
  /**
   * Reads the order and grants the purchase if it is paid. Safe to call any number of times.
   *
   * @param customerIdentity - the customer who is logged in at your server, not a parameter of the
   *   app. A purchase of another customer is an `unknown-purchase`.
   */
  verify(bizNo: string, customerIdentity: string, call?: FulfilmentCall): Promise<Verification>;
  /**
   * Reads the order again, also of a granted purchase, and grants or revokes.
   *
   * For a program that receives the events of orders, such as `order.refunded`. Repeat the event if
   * the outcome is `failed` or `in-progress`. Without `recheck`, the purchase is revoked by the
   * `checkDue` that reads its order next.
   */
  recheck(bizNo: string, call?: FulfilmentCall): Promise<Verification>;
  /**
   * Grants all paid orders of the customer that were not granted, except those that were revoked.
   *
   * For a new device, and after the loss of your database (with `dataOf`).
   */
  restore(customerIdentity: string, call?: FulfilmentCall): Promise<CheckedPurchases>;
  /**
   * Reads the orders of purchases that are due: those that were not verified yet, that may have
   * been refunded, or whose process died. Run it on a timer, in any number of processes.
   *
   * @param limit - the maximum number of purchases, from 1 to 1,000. Defaults to 50.
   * @returns the outcomes. If there are `limit` of them, more may be due.
   */
  checkDue(limit?: number, call?: FulfilmentCall): Promise<CheckedPurchases>;
}
