import type { CustomerService } from "@tillkit/core";
import {
  type ReplaceResult,
  type ServiceImportResult,
  serviceLine,
  type ServiceStore,
} from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import {
  compareText,
  compositeKey,
  getOrCreate,
  type MemoryState,
  type StoredService,
} from "../state/memory-state.js";
import { frozen } from "../state/frozen.js";
import { runAtomically } from "../state/run-atomically.js";

/**
 * Creates a `ServiceStore` in memory.
 *
 * It shares the services with the order store and the refund store of the same state.
 */
export function memoryServiceStore(state: Pick<MemoryState, "services"> & AuditState): ServiceStore {
  const { services } = state;
  const find = ({ appId, customerIdentity, serviceTypeNo }: ServiceKey) =>
    services.get(compositeKey(appId, customerIdentity))?.get(serviceTypeNo);
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
        const grants = new Map([[IMPORTED_GRANT, imported]]);
        ofCustomer.set(serviceTypeNo, { service: frozen(service), grants, grantsMade: 1 });
        return { outcome: "stored", service };
      }),
    isUntouchedImport: (key) => runAtomically(() => isUntouched(find(key))),
    replaceImported: (previous, service, audit) =>
      runAtomically((): ReplaceResult => {
        const stored = find(service);
        if (stored === undefined || serviceLine(stored.service) !== serviceLine(previous)) return "changed";
        if (!isUntouched(stored)) return "touched";
        auditChange(state, audit);
        const { gmtCreate, expireTime } = service;
        stored.service = frozen(service);
        stored.grants.set(IMPORTED_GRANT, { grantedAt: gmtCreate, durationMs: expireTime - gmtCreate });
        return "replaced";
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

/** The key of the imported service time among the grants. No order has this id. */
const IMPORTED_GRANT = "";

function isUntouched(stored: StoredService | undefined): boolean {
  return stored !== undefined && stored.grantsMade === 1 && stored.grants.has(IMPORTED_GRANT);
}

type ServiceKey = Pick<CustomerService, "customerIdentity" | "appId" | "serviceTypeNo">;

function byKey(left: ServiceKey, right: ServiceKey): number {
  return (
    compareText(left.customerIdentity, right.customerIdentity) ||
    compareText(left.appId, right.appId) ||
    compareText(left.serviceTypeNo, right.serviceTypeNo)
  );
}
