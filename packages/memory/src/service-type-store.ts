import type { ServiceTypeStore } from "@tillkit/core";
import { auditChange, type AuditState } from "./audit-log.js";
import { frozen } from "./frozen.js";
import { compareText, getOrCreate, compositeKey, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates a `ServiceTypeStore` in memory. */
export function memoryServiceTypeStore(
  state: Pick<MemoryState, "serviceTypes"> & AuditState,
): ServiceTypeStore {
  const { serviceTypes } = state;
  return {
    insertOnce: (type, audit) =>
      runAtomically(() =>
        getOrCreate(serviceTypes, compositeKey(type.appId, type.serviceTypeNo), () => {
          auditChange(state, audit);
          return frozen(type);
        }),
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
