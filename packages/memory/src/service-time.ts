import type { Order, OrderTransition } from "@tillkit/core";
import { type HeldService, heldOr, keyText, type MemoryState, type ServiceGrant } from "./memory-state.js";

/** Adds the time `order` bought to its customer's service, once per order, however often it is called. */
export function grantTime(
  { services }: Pick<MemoryState, "services">,
  { id, appId, customerIdentity, service: bought }: Order,
  { at, extendService }: Pick<OrderTransition, "at" | "extendService">,
): void {
  if (bought === undefined || extendService === undefined) return;
  const { serviceTypeNo, serviceName, durationMs } = bought;
  const ofCustomer = heldOr(services, keyText(appId, customerIdentity), () => new Map<string, HeldService>());
  const held = heldOr(ofCustomer, serviceTypeNo, (): HeldService => ({
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
  if (held.grants.has(id)) return;
  held.grants.set(id, { grantedAt: at, durationMs });
  held.service = Object.freeze({
    ...held.service,
    expireTime: Math.max(at, held.service.expireTime) + durationMs,
  });
}

/** Takes the time `order` bought back: what is left is what the customer's other orders of this type bought. */
export function takeBackTime({ services }: Pick<MemoryState, "services">, order: Order): void {
  const { id, appId, customerIdentity, service: bought } = order;
  if (bought === undefined) return;
  const held = services.get(keyText(appId, customerIdentity))?.get(bought.serviceTypeNo);
  if (held?.grants.delete(id) !== true) return;
  const expireTime = expireTimeOf([...held.grants.values()]) ?? held.service.gmtCreate;
  held.service = Object.freeze({ ...held.service, expireTime });
}

/**
 * When time made of `grants`, oldest first, runs out; `undefined` when there are none. Extending one after the other by
 * `max(at, expireTime) + duration` comes to the largest, over every grant, of its instant and all the time granted from it on.
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
