import type { CustomerService, ServiceImportResult, ServiceStore } from "@tillkit/core";
import {
  compareText,
  compositeKey,
  getOrCreate,
  type MemoryState,
  type StoredService,
} from "./memory-state.js";
import { frozen } from "./frozen.js";
import { runAtomically } from "./run-atomically.js";

/**
 * Creates a `ServiceStore` in memory.
 *
 * It shares the services with the order store and the refund store of the same state.
 */
export function memoryServiceStore({ services }: Pick<MemoryState, "services">): ServiceStore {
  return {
    list: (appId, customerIdentity) =>
      runAtomically(() =>
        Array.from(
          services.get(compositeKey(appId, customerIdentity))?.values() ?? [],
          ({ service }) => service,
        ).sort(
          (left, right) =>
            left.gmtCreate - right.gmtCreate || compareText(left.serviceTypeNo, right.serviceTypeNo),
        ),
      ),
    importOnce: (service) =>
      runAtomically((): ServiceImportResult => {
        const { appId, customerIdentity, serviceTypeNo, gmtCreate, expireTime } = service;
        const ofCustomer = getOrCreate(
          services,
          compositeKey(appId, customerIdentity),
          () => new Map<string, StoredService>(),
        );
        const existing = ofCustomer.get(serviceTypeNo);
        if (existing !== undefined) return { outcome: "exists", service: existing.service };
        const imported = { grantedAt: gmtCreate, durationMs: expireTime - gmtCreate };
        const stored = { service: frozen(service), grants: new Map([[IMPORTED_GRANT, imported]]) };
        ofCustomer.set(serviceTypeNo, stored);
        return { outcome: "stored", service: stored.service };
      }),
    listAll: ({ appId, after, limit }) =>
      runAtomically(() =>
        Array.from(services.values(), (ofCustomer) =>
          Array.from(ofCustomer.values(), ({ service }) => service),
        )
          .flat()
          .filter((service) => appId === undefined || service.appId === appId)
          .filter((service) => after === undefined || byKey(after, service) < 0)
          .sort(byKey)
          .slice(0, limit),
      ),
  };
}

/** The key of the time that was imported. No order has this id. */
const IMPORTED_GRANT = "";

type ServiceKey = Pick<CustomerService, "customerIdentity" | "appId" | "serviceTypeNo">;

function byKey(left: ServiceKey, right: ServiceKey): number {
  return (
    compareText(left.customerIdentity, right.customerIdentity) ||
    compareText(left.appId, right.appId) ||
    compareText(left.serviceTypeNo, right.serviceTypeNo)
  );
}
