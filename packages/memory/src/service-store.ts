import type { ServiceStore } from "@tillkit/core";
import { compareText, compositeKey, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/**
 * Creates a `ServiceStore` in memory.
 *
 * It reads the services that the order store and the refund store of the same state write.
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
  };
}
