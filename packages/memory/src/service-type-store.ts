import type { ServiceTypeStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { compareText, getOrCreate, compositeKey, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates a `ServiceTypeStore` in memory. */
export function memoryServiceTypeStore({
  serviceTypes,
}: Pick<MemoryState, "serviceTypes">): ServiceTypeStore {
  return {
    insertOnce: (type) =>
      runAtomically(() =>
        getOrCreate(serviceTypes, compositeKey(type.appId, type.serviceTypeNo), () => frozen(type)),
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
