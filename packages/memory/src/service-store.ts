import type { ServiceStore } from "@tillkit/core";
import { byText, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/**
 * Creates a `ServiceStore` in memory.
 *
 * It reads the services that the order store and the refund store of the same state write.
 */
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
