import type { ServiceStore } from "@tillkit/core";
import { byText, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** `ServiceStore` in memory: reads what the order and refund stores of the same state wrote. */
export function memoryServiceStore({ services }: Pick<MemoryState, "services">): ServiceStore {
  return {
    list: (appId, customerIdentity) =>
      step(() =>
        Array.from(
          services.get(keyText(appId, customerIdentity))?.values() ?? [],
          ({ service }) => service,
        ).sort(
          (left, right) =>
            left.gmtCreate - right.gmtCreate || byText(left.serviceTypeNo, right.serviceTypeNo),
        ),
      ),
  };
}
