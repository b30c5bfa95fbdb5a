import type { Order, OrderTransition } from "@tillkit/core";
import {
  type StoredService,
  getOrCreate,
  compositeKey,
  type MemoryState,
  type ServiceGrant,
} from "./memory-state.js";

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
  }));
  if (stored.grants.has(id)) return;
  stored.grants.set(id, { grantedAt: at, durationMs });
  stored.service = Object.freeze({
    ...stored.service,
    expireTime: Math.max(at, stored.service.expireTime) + durationMs,
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

/**
 * Returns when the time of `grants` runs out, or `undefined` if there are no grants.
 *
 * `grants` must be sorted oldest first. Each grant extends the service to `max(at, expireTime) +
 * duration`. The result therefore equals the maximum, over all grants, of the time of the grant
 * plus its duration and all later durations.
 */
export function expireTimeOf(grants: readonly ServiceGrant[]): number | undefined {
  let latest: number | undefined;
  let fromHereOn = 0;
  for (const { grantedAt, durationMs } of grants.toReversed()) {
    fromHereOn += durationMs;
    latest = Math.max(latest ?? -Infinity, grantedAt + fromHereOn);
  }
  return latest;
}
