import type { ServiceTypeStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { byText, heldOr, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** Creates a `ServiceTypeStore` in memory. */
export function memoryServiceTypeStore({
  serviceTypes,
}: Pick<MemoryState, "serviceTypes">): ServiceTypeStore {
  return {
    insertOnce: (type) =>
      step(() => heldOr(serviceTypes, keyText(type.appId, type.serviceTypeNo), () => frozen(type))),
    find: (appId, serviceTypeNo) => step(() => serviceTypes.get(keyText(appId, serviceTypeNo))),
    list: (appId) =>
      step(() =>
        [...serviceTypes.values()]
          .filter((type) => type.appId === appId)
          .sort((left, right) => byText(left.serviceTypeNo, right.serviceTypeNo)),
      ),
  };
}
