import {
  CLAIM_FOLLOWS,
  CLAIM_TAKES_OVER,
  type FulfilmentStore,
  type PurchaseStatus,
  type StoredPurchase,
} from "./fulfilment-store.js";

/**
 * Creates a store in memory, for tests and for programs of one process.
 *
 * It has no transactions. While an effect runs, its claim cannot be taken over, even after `until`.
 *
 * @returns the store.
 * @example
 * ```ts
 * import { memoryFulfilmentStore } from "@tillkit/client/fulfil";
 *
 * const store = memoryFulfilmentStore();
 * ```
 */
export function memoryFulfilmentStore(): FulfilmentStore<undefined> {
  const purchases = new Map<string, StoredPurchase>();
  const running = new Set<string>();
  const put = (purchase: StoredPurchase): StoredPurchase => {
    purchases.set(purchase.bizNo, purchase);
    return purchase;
  };
  return {
    insertOnce: async (purchase, now, checkAt) =>
      purchases.get(purchase.bizNo) ??
      put({ ...purchase, status: "REGISTERED", since: now, mayBeGranted: false, ...optional({ checkAt }) }),
    find: async (bizNo) => purchases.get(bizNo),
    claim: async (bizNo, { id, to, now, until }) => {
      const held = purchases.get(bizNo);
      if (held === undefined || running.has(bizNo)) return undefined;
      const follows: readonly PurchaseStatus[] = CLAIM_FOLLOWS[to];
      const takesOver: readonly PurchaseStatus[] = CLAIM_TAKES_OVER[to];
      const hasExpired = (held.claimUntil ?? 0) <= now;
      if (!follows.includes(held.status) && !(takesOver.includes(held.status) && hasExpired))
        return undefined;
      const mayBeGranted = held.mayBeGranted || to === "GRANTING";
      return put({
        ...held,
        mayBeGranted,
        status: to,
        since: held.status === to ? held.since : now,
        claimId: id,
        claimUntil: until,
        checkAt: until,
      });
    },
    complete: async (bizNo, { claimId, to, now, checkAt }, effect) => {
      const held = purchases.get(bizNo);
      if (held?.claimId !== claimId || running.has(bizNo)) return false;
      running.add(bizNo);
      try {
        await effect(undefined);
      } finally {
        running.delete(bizNo);
      }
      const { claimId: _id, claimUntil: _until, checkAt: _last, ...rest } = held;
      put({ ...rest, status: to, since: now, ...optional({ checkAt }) });
      return true;
    },
    release: async (bizNo, claimId, now, checkAt) => {
      const held = purchases.get(bizNo);
      if (held?.claimId === claimId) put({ ...held, claimUntil: now, checkAt });
    },
    takeDue: async (now, limit, until) =>
      [...purchases.values()]
        .filter(({ checkAt }) => checkAt !== undefined && checkAt <= now)
        .toSorted((a, b) => (a.checkAt ?? 0) - (b.checkAt ?? 0))
        .slice(0, limit)
        .map((purchase) => put({ ...purchase, checkAt: until })),
    schedule: async (bizNo, status, checkAt) => {
      const held = purchases.get(bizNo);
      if (held?.status !== status) return;
      const { checkAt: _last, ...rest } = held;
      put({ ...rest, ...optional({ checkAt }) });
    },
  };
}

function optional({ checkAt }: { readonly checkAt: number | undefined }): { readonly checkAt?: number } {
  return checkAt === undefined ? {} : { checkAt };
}
