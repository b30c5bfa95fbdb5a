import { describe } from "vitest";
import { openBeforeEach } from "../../../support/open-before-each.js";
import { connections } from "./shared-storage/connections.js";
import { locks } from "./shared-storage/locks.js";
import type { SharedStorage } from "../../../support/stores/shared-storage-harness.js";

export type { Contended, SharedStorage } from "../../../support/stores/shared-storage-harness.js";

/**
 * Tests a storage that several processes share over connections.
 *
 * A storage inside one process does not run this contract. `open` returns empty stores for each
 * test.
 *
 * @example
 * ```ts
 * import { sharedStorageContract } from "@tillkit/contract-tests";
 * import { openMySharedStorage } from "./my-adapter.js";
 *
 * sharedStorageContract("my database", openMySharedStorage);
 * ```
 */
export function sharedStorageContract(adapter: string, open: () => Promise<SharedStorage>): void {
  describe(`Shared storage contract: ${adapter}`, () => {
    const opened = openBeforeEach(async () => {
      const port = await open();
      return { port, close: () => port.close() };
    });
    connections(opened);
    locks(opened);
  });
}
