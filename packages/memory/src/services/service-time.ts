import type { Order } from "@tillkit/core";
import { expireTimeOf, extendedExpireTime, type OrderTransition } from "@tillkit/core/ports";
import { type StoredService, getOrCreate, compositeKey, type MemoryState } from "../state/memory-state.js";

/**
 * Adds the purchased time of `order` to the service of its customer. Repeated calls have no effect.
 */
export function grantTime(
  { services }: Pick<MemoryState, "services">,
  { id, appId, customerIdentity, service: bought }: Order,
  { at, extendService }: Pick<OrderTransition, "at" | "extendService">,
): void {
  if (bought === undefined || extendService === undefined) return;
  const { serviceTypeNo, serviceName, durationMs } = bought;
  const ofCustomer = getOrCreate(
    services,
    compositeKey(appId, customerIdentity),
    () => new Map<string, StoredService>(),
  );
  const stored = getOrCreate(ofCustomer, serviceTypeNo, (): StoredService => ({
    service: Object.freeze({
      appId,
      customerIdentity,
      serviceTypeNo,
      serviceNo: extendService.serviceNo,
      serviceName,
      expireTime: at,
      gmtCreate: at,
    }),
    grants: new Map(),
    grantsMade: 0,
  }));
  if (stored.grants.has(id)) return;
  stored.grants.set(id, { grantedAt: at, durationMs });
  stored.grantsMade += 1;
  stored.service = Object.freeze({
    ...stored.service,
    expireTime: extendedExpireTime(stored.service.expireTime, at, durationMs),
  });
}

/** Takes back the time that `order` added to a service. The time of other orders stays. */
export function takeBackTime({ services }: Pick<MemoryState, "services">, order: Order): void {
  const { id, appId, customerIdentity, service: bought } = order;
  if (bought === undefined) return;
  const stored = services.get(compositeKey(appId, customerIdentity))?.get(bought.serviceTypeNo);
  if (stored?.grants.delete(id) !== true) return;
  const expireTime = expireTimeOf([...stored.grants.values()]) ?? stored.service.gmtCreate;
  stored.service = Object.freeze({ ...stored.service, expireTime });
}
