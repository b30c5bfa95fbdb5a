import type { ServiceType } from "@tillkit/core";
import type { AuditEntry, ServiceTypeStore } from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, getOrCreate, compositeKey, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `ServiceTypeStore` in memory. */
export function memoryServiceTypeStore(
  state: Pick<MemoryState, "serviceTypes"> & AuditState,
): ServiceTypeStore {
  const { serviceTypes } = state;
  /**
   * Replaces a type with the result of `changed`. If `changed` returns `undefined`, nothing
   * changes.
   */
  const change = (
    appId: string,
    serviceTypeNo: string,
    audit: AuditEntry | undefined,
    changed: (type: ServiceType) => ServiceType | undefined,
    replaced?: (type: ServiceType) => object,
  ) =>
    runAtomically(() => {
      const key = compositeKey(appId, serviceTypeNo);
      const before = serviceTypes.get(key);
      if (before === undefined) return undefined;
      const after = changed(before);
      if (after === undefined) return before;
      const stored = frozen(after);
      auditChange(state, audit, replaced?.(before));
      serviceTypes.set(key, stored);
      return stored;
    });
  return {
    insertOnce: (type, audit) =>
      runAtomically(() =>
        getOrCreate(serviceTypes, compositeKey(type.appId, type.serviceTypeNo), () => {
          auditChange(state, audit);
          return frozen(type);
        }),
      ),
    rename: (appId, serviceTypeNo, serviceName, audit) =>
      change(
        appId,
        serviceTypeNo,
        audit,
        (type) => ({ ...type, serviceName }),
        (type) => ({ serviceName: type.serviceName }),
      ),
    retire: (appId, serviceTypeNo, at, audit) =>
      change(appId, serviceTypeNo, audit, (type) =>
        type.retiredAt === undefined ? { ...type, retiredAt: at } : undefined,
      ),
    restore: (appId, serviceTypeNo, audit) =>
      change(appId, serviceTypeNo, audit, ({ retiredAt, ...type }) =>
        retiredAt === undefined ? undefined : type,
      ),
    find: (appId, serviceTypeNo) => runAtomically(() => serviceTypes.get(compositeKey(appId, serviceTypeNo))),
    list: (appId) =>
      runAtomically(() =>
        [...serviceTypes.values()]
          .filter((type) => type.appId === appId)
          .sort((left, right) => compareText(left.serviceTypeNo, right.serviceTypeNo)),
      ),
  };
}
