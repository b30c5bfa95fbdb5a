import { nextCheckAt, nextTryAt } from "./check-schedule.js";
import type { Effect, Fulfiller, FulfillerOptions, FulfilmentCall, Verification } from "./fulfiller.js";
import type { Purchase, PurchaseClaim, StoredPurchase } from "./fulfilment-store.js";
import { TillkitError } from "../errors.js";
import type { Order } from "../types.js";

const MAX_DATA_LENGTH = 4_096;
const MAX_CUSTOMER_IDENTITY_LENGTH = 256;
/** In milliseconds. Timers have an upper limit, and a longer lease delays every repetition. */
const MAX_LEASE = 24 * 60 * 60_000;
const MAX_DUE = 1_000;

/**
 * Creates a fulfiller: it grants each paid purchase once, and revokes each refunded one once.
 *
 * A process claims a purchase in the store before an effect and stores the outcome after it. With a
 * store that has transactions, such as `postgresFulfilmentStore`, an effect that writes through
 * `tx` happens exactly once, also if the process dies. Any other effect is repeated if the process
 * dies between the effect and the stored outcome, so give its receiver the `bizNo` as an
 * idempotency key.
 *
 * @returns the fulfiller. Nothing runs before its methods are called.
 * @throws RangeError if `lease` or `schedule` is not usable.
 * @example
 * ```ts
 * import type { TillkitClient } from "@tillkit/client";
 * import { createFulfiller, memoryFulfilmentStore } from "@tillkit/client/fulfil";
 *
 * declare const client: TillkitClient;
 * const members = new Set<string>();
 *
 * const fulfiller = createFulfiller({
 *   client,
 *   store: memoryFulfilmentStore(),
 *   grant: async ({ customerIdentity }) => void members.add(customerIdentity),
 *   revoke: async ({ customerIdentity }) => void members.delete(customerIdentity),
 * });
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/guide/grant-once.md |
 *   Grant each purchase once}
 */
export function createFulfiller<Tx>(options: FulfillerOptions<Tx>): Fulfiller {
  const { client, store, grant, revoke, dataOf, lease = 30_000, schedule, now = Date.now } = options;
  if (!Number.isSafeInteger(lease) || lease < 1 || lease > MAX_LEASE)
    throw new RangeError("lease must be a number of milliseconds, at most a day.");
  if (schedule?.some((age, nth) => !Number.isSafeInteger(age) || age <= (schedule[nth - 1] ?? 0)) === true)
    throw new RangeError("schedule must be a list of growing numbers of milliseconds.");

  const register = async (purchase: Purchase): Promise<StoredPurchase> => {
    checkPurchase(purchase);
    const at = now();
    const stored = await store.insertOnce(purchase, at, nextCheckAt(at, at, schedule));
    const { customerIdentity, amount, data } = purchase;
    if (stored.customerIdentity !== customerIdentity || stored.amount !== amount || stored.data !== data)
      throw new RangeError(
        "The same bizNo was registered with other terms. Choose a new bizNo for a new purchase.",
      );
    return stored;
  };

  /** Claims the purchase, runs the effect and stores the outcome. */
  const apply = async (
    { bizNo }: StoredPurchase,
    to: PurchaseClaim["to"],
    effect: Effect<Tx>,
  ): Promise<Verification> => {
    const at = now();
    // The timer starts before the claim, so that the signal aborts no later than the claim expires.
    const signal = AbortSignal.timeout(lease);
    const id = crypto.randomUUID();
    const claimed = await store.claim(bizNo, { id, to, now: at, until: at + lease });
    if (claimed === undefined) return outcomeOf(await store.find(bizNo));
    const { customerIdentity, amount, data } = claimed;
    const isNeeded = to === "GRANTING" || claimed.mayBeGranted;
    const outcome =
      to === "GRANTING"
        ? { claimId: id, to: "GRANTED" as const, now: at, checkAt: nextCheckAt(at, at, schedule) }
        : { claimId: id, to: "REVOKED" as const, now: at };
    try {
      const done = await store.complete(bizNo, outcome, async (tx) => {
        if (isNeeded) await effect({ bizNo, customerIdentity, amount, data }, { tx, signal });
      });
      if (!done) return outcomeOf(await store.find(bizNo));
      return { outcome: to === "GRANTING" ? "granted" : "revoked" };
    } catch (error) {
      // If this call of the store also fails, the claim expires at its end.
      const failedAt = now();
      const retryAt = nextTryAt(claimed.since, failedAt, lease);
      await store.release(bizNo, id, failedAt, retryAt).catch(() => undefined);
      return { outcome: "failed", error };
    }
  };

  /** Grants or revokes the purchase, according to the status of its order. */
  const settle = async (purchase: StoredPurchase, order: Order): Promise<Verification> => {
    const isSame = order.bizNo === purchase.bizNo && order.amount === purchase.amount;
    if (!isSame) return { outcome: "mismatch", order };
    if (order.paymentStatus === "REFUND") return apply(purchase, "REVOKING", revoke);
    if (purchase.status === "GRANTED") return { outcome: "granted-before" };
    // The service may add statuses that this version does not know. Only PAID proves a payment.
    if (order.paymentStatus === "PAID") return apply(purchase, "GRANTING", grant);
    return { outcome: "not-paid", paymentStatus: order.paymentStatus };
  };

  const read = async (purchase: StoredPurchase, call?: FulfilmentCall): Promise<Verification> => {
    const { bizNo, customerIdentity } = purchase;
    try {
      return await settle(purchase, await client.orders.get({ bizNo, customerIdentity }, call));
    } catch (error) {
      return { outcome: "failed", error };
    }
  };

  const stored = async (order: Order, customerIdentity: string): Promise<StoredPurchase | undefined> => {
    const known = await store.find(order.bizNo);
    if (known !== undefined) return known.customerIdentity === customerIdentity ? known : undefined;
    const data = dataOf?.(order);
    const { bizNo, amount } = order;
    return data === undefined ? undefined : register({ bizNo, customerIdentity, amount, data });
  };

  return {
    register,
    verify: async (bizNo, customerIdentity, call) => {
      const purchase = await store.find(bizNo);
      if (purchase?.customerIdentity !== customerIdentity) return { outcome: "unknown-purchase" };
      if (purchase.status === "GRANTED" || purchase.status === "REVOKED") return outcomeOf(purchase);
      return read(purchase, call);
    },
    recheck: async (bizNo, call) => {
      const purchase = await store.find(bizNo);
      if (purchase === undefined || purchase.status === "REVOKED") return outcomeOf(purchase);
      return read(purchase, call);
    },
    restore: async (customerIdentity, call) => {
      const outcomes = new Map<string, Verification>();
      const paid = { customerIdentity, paymentStatus: "PAID" } as const;
      for await (const order of client.orders.list(paid, call)) {
        try {
          const purchase = await stored(order, customerIdentity);
          if (purchase !== undefined) outcomes.set(order.bizNo, await settle(purchase, order));
        } catch (error) {
          outcomes.set(order.bizNo, { outcome: "failed", error });
        }
      }
      return outcomes;
    },
    checkDue: async (limit = 50, call) => {
      if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_DUE)
        throw new RangeError(`limit must be a number from 1 to ${String(MAX_DUE)}.`);
      const at = now();
      const outcomes = new Map<string, Verification>();
      for (const purchase of await store.takeDue(at, limit, at + lease)) {
        const result = await read(purchase, call);
        outcomes.set(purchase.bizNo, result);
        const { bizNo, status, since } = purchase;
        // `takeDue` has set the next read to the end of the lease, and an effect sets its own next
        // read. Only a final result without an effect needs a later read, from the schedule.
        if (isFinal(result)) await store.schedule(bizNo, status, nextCheckAt(since, now(), schedule));
      }
      return outcomes;
    },
  };
}

/** Returns whether another read of the order gives the same result until the order changes. */
function isFinal(result: Verification): boolean {
  switch (result.outcome) {
    case "granted-before":
    case "not-paid":
    case "mismatch":
      return true;
    case "failed":
      return result.error instanceof TillkitError && !result.error.isRetryable;
    case "granted":
    case "in-progress":
    case "revoked":
    case "unknown-purchase":
      return false;
  }
}

function outcomeOf(purchase: StoredPurchase | undefined): Verification {
  switch (purchase?.status) {
    case undefined:
      return { outcome: "unknown-purchase" };
    case "GRANTED":
      return { outcome: "granted-before" };
    case "REVOKED":
      return { outcome: "revoked" };
    case "REGISTERED":
    case "GRANTING":
    case "REVOKING":
      return { outcome: "in-progress" };
  }
}

function checkPurchase({ bizNo, customerIdentity, amount, data }: Purchase): void {
  if (!/^[\x21-\x7e]{1,64}$/.test(bizNo))
    throw new RangeError("bizNo must have 1 to 64 visible ASCII characters.");
  if (!Number.isSafeInteger(amount) || amount < 1) throw new RangeError("amount must be a number of cents.");
  checkText("customerIdentity", customerIdentity, MAX_CUSTOMER_IDENTITY_LENGTH);
  checkText("data", data, MAX_DATA_LENGTH);
}

/**
 * Throws a `RangeError` for a text that is too long, or that PostgreSQL would not store unchanged.
 */
function checkText(name: string, text: string, maxLength: number): void {
  if (text.length > maxLength)
    throw new RangeError(`${name} must have at most ${String(maxLength)} characters.`);
  if (text.includes("\u0000") || /\p{Surrogate}/u.test(text))
    throw new RangeError(`${name} must not contain null characters and halves of surrogate pairs.`);
}
