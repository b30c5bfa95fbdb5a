import type { Order, OrderKey, TimelineEvent } from "@tillkit/core";
import {
  type CustomerDataStore,
  erasureEntry,
  type LoginErasure,
  type LoginSubject,
  planOrderErasure,
} from "@tillkit/core/ports";
import { isOfOrder } from "../bills/bill-exception-store.js";
import { frozen } from "../state/frozen.js";
import { compositeKey, type MemoryState, type StoredOrder } from "../state/memory-state.js";
import { findStoredOrder, replace } from "../orders/order-store.js";
import { runAtomically } from "../state/run-atomically.js";
import { newestSessionsFirst } from "../sessions/session-store.js";
import { append } from "../timeline/timeline.js";

/** The scopes of the counters whose subject is the hash of a phone number. */
const PHONE_SCOPES = ["sms"] as const;

/** Creates a `CustomerDataStore` in memory. */
export function memoryCustomerDataStore(state: MemoryState): CustomerDataStore {
  return {
    readLogin: (subject) =>
      runAtomically(() => {
        const { appId } = subject;
        const { phones, hashes, customerIds } = loginOf(state, subject);
        return {
          phones,
          codes: hashes.flatMap((phoneHash) => {
            const stored = state.codes.get(compositeKey(appId, phoneHash));
            if (stored === undefined) return [];
            const { codes, tries, dayTries, endsAt } = stored;
            return [{ phoneHash, count: codes.length, tries, dayTries, endsAt }];
          }),
          counters: countersOf(state, hashes).map(({ counter }) => counter),
          spacings: spacingsOf(state, hashes).map(({ spacing }) => spacing),
          sessions: customerIds
            .flatMap((customerId) => state.sessions.get(compositeKey(appId, customerId)) ?? [])
            .sort(newestSessionsFirst),
        };
      }),
    eraseLogin: (erasure) =>
      runAtomically(() => {
        const { appId, customerIds } = erasure;
        const phones = phonesOf(state, appId).filter(({ customerId }) => customerIds.includes(customerId));
        const phoneHashes = phones.map(({ phoneHash }) => phoneHash).sort();
        let [codes, sessions] = [0, 0];
        for (const phoneHash of phoneHashes) state.customers.delete(compositeKey(appId, phoneHash));
        const clearedHashes = clearedBy(state, erasure, phoneHashes);
        for (const phoneHash of clearedHashes)
          if (state.codes.delete(compositeKey(appId, phoneHash))) codes += 1;
        const counters = countersOf(state, clearedHashes);
        for (const { key } of counters) state.quotas.delete(key);
        for (const { key } of spacingsOf(state, clearedHashes)) state.spacings.delete(key);
        for (const customerId of customerIds) {
          const key = compositeKey(appId, customerId);
          const open = state.sessions.get(key) ?? [];
          sessions += open.length;
          state.sessions.delete(key);
          const hadNumber = phones.some((phone) => phone.customerId === customerId);
          const isCustomer = hadNumber || state.sessionOwners.has(key);
          if (isCustomer) state.erasedCustomers.add(key);
        }
        return { phoneHashes, clearedHashes, codes, counters: counters.length, sessions };
      }),
    eraseOrder: (key, mark) =>
      runAtomically(() => {
        const stored = findStoredOrder(state, key);
        if (stored === undefined) return undefined;
        const { order, timeline } = stored;
        const hasKey = (one: OrderKey) => one.appId === order.appId && one.bizNo === order.bizNo;
        const plan = planOrderErasure({
          order,
          timeline,
          refunds: [...stored.refunds.values()],
          approvals: [...state.refundApprovals.values()].filter(hasKey),
          deliveries: [...state.eventDeliveries.values()].map(({ delivery }) => delivery).filter(hasKey),
        });
        if (plan.kind !== "erase") return plan;
        eraseTexts(state, stored);
        append(state, stored, erasureEntry(mark, plan.erased));
        return plan;
      }),
    eraseNotes: (order) =>
      runAtomically(() => {
        const noted = [...state.billExceptions.values()]
          .filter((exception) => isOfOrder(exception, order))
          .filter(({ note = "" }) => note !== "");
        for (const exception of noted)
          state.billExceptions.set(exception.id, frozen({ ...exception, note: "" }));
        return noted.length;
      }),
    forgetNames: (before, limit) =>
      runAtomically(() => {
        const named = [...state.orders.values()]
          .filter(({ order }) => order.customerName !== undefined && order.gmtCreate < before)
          .sort((left, right) => left.order.gmtCreate - right.order.gmtCreate)
          .slice(0, limit);
        for (const stored of named) {
          const { customerName: _gone, ...order } = stored.order;
          replace(stored, order);
        }
        return named.length;
      }),
  };
}

function phonesOf({ customers }: Pick<MemoryState, "customers">, appId: string) {
  return [...customers.values()].filter((customer) => customer.appId === appId);
}

/** Returns the removed hashes, and those given hashes that belong to no other customer. */
function clearedBy(
  { customers }: Pick<MemoryState, "customers">,
  { appId, phoneHashes }: LoginErasure,
  removed: readonly string[],
): readonly string[] {
  const free = phoneHashes.filter((phoneHash) => !customers.has(compositeKey(appId, phoneHash)));
  return [...new Set([...removed, ...free])].sort();
}

/** Returns the phone numbers, their hashes and the ids of a customer. */
function loginOf(state: Pick<MemoryState, "customers">, { appId, customerId, phoneHashes }: LoginSubject) {
  const ofApp = phonesOf(state, appId);
  const given = ofApp.filter(({ phoneHash }) => phoneHashes.includes(phoneHash));
  const customerIds = [
    ...new Set([...(customerId === undefined ? [] : [customerId]), ...given.map((one) => one.customerId)]),
  ].sort();
  const phones = ofApp.filter((one) => customerIds.includes(one.customerId));
  const hashes = [...new Set([...phoneHashes, ...phones.map(({ phoneHash }) => phoneHash)])].sort();
  return { phones, hashes, customerIds };
}

function countersOf({ quotas }: Pick<MemoryState, "quotas">, hashes: readonly string[]) {
  return hashes.flatMap((subject) =>
    PHONE_SCOPES.flatMap((scope) =>
      [...quotas]
        .filter(([key, { day }]) => key === compositeKey(scope, subject, day))
        .map(([key, { day, used }]) => ({ key, counter: { scope, subject, day, used } })),
    ),
  );
}

function spacingsOf({ spacings }: Pick<MemoryState, "spacings">, hashes: readonly string[]) {
  return hashes.flatMap((subject) =>
    PHONE_SCOPES.flatMap((scope) => {
      const key = compositeKey(scope, subject);
      const grantedAt = spacings.get(key);
      return grantedAt === undefined ? [] : [{ key, spacing: { scope, subject, grantedAt } }];
    }),
  );
}

function eraseTexts(state: MemoryState, stored: StoredOrder): void {
  replace(stored, withoutTexts(stored.order));
  for (const refund of stored.refunds.values())
    stored.refunds.set(refund.refundNo, frozen({ ...refund, reason: "" }));
  for (const [key, approval] of state.refundApprovals) {
    if (approval.appId !== stored.order.appId || approval.bizNo !== stored.order.bizNo) continue;
    const note = approval.note === undefined ? {} : { note: "" };
    state.refundApprovals.set(key, frozen({ ...approval, ...note, reason: "" }));
  }
  for (const [place, event] of stored.timeline.entries()) stored.timeline[place] = withoutReason(event);
}

function withoutTexts({
  customerName: _name,
  attachData: _data,
  payerId: _payer,
  walletOptions: _options,
  ...order
}: Order): Order {
  return order;
}

function withoutReason({ reasonSalt: _salt, ...event }: TimelineEvent): TimelineEvent {
  return frozen({ ...event, reason: "" });
}
