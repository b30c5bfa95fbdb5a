import type { ReadinessStore } from "@tillkit/core/ports";
import { errAsync, okAsync } from "neverthrow";
import type { MemoryState } from "../state/memory-state.js";

/** Creates a `ReadinessStore` in memory. If `readiness` is frozen, the storage is read-only. */
export function memoryReadinessStore({ readiness }: Pick<MemoryState, "readiness">): ReadinessStore {
  return {
    write: (now) => {
      if (!Reflect.set(readiness, "writtenAt", now))
        return errAsync({
          name: "storage.read-only",
          remedy: "The state of the stores is frozen. Create the stores over another state.",
        });
      return okAsync(undefined);
    },
  };
}
