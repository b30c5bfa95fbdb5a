import type { Stores } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import { anApp } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";

/** A mistake in the configuration of a storage that lasts until an operator corrects it. */
export type Misconfiguration = "missing right" | "missing table" | "missing column" | "missing schema";

/** Stores over a storage that a test can misconfigure, as an operator may. */
export interface MisconfigurableStores extends Opened<Pick<Stores, "apps">> {
  /** Makes the mistake for the rows of apps. */
  misconfigure(mistake: Misconfiguration): Promise<void>;
  /** Corrects the mistake. */
  repair(mistake: Misconfiguration): Promise<void>;
}

const MISTAKES: readonly Misconfiguration[] = [
  "missing right",
  "missing table",
  "missing column",
  "missing schema",
];

/**
 * Tests that a mistake in the configuration of a storage is not reported as a temporary failure.
 *
 * For storages with tables and rights. `open` returns new, empty stores for each test.
 *
 * @example
 * ```ts
 * import { misconfiguredStorageContract } from "@tillkit/contract-tests";
 * import { openMyMisconfigurableStores } from "./my-adapter.js";
 *
 * misconfiguredStorageContract("my database", openMyMisconfigurableStores);
 * ```
 */
export function misconfiguredStorageContract(
  adapter: string,
  open: () => Promise<MisconfigurableStores>,
): void {
  describe(`Misconfigured storage contract: ${adapter}`, () => {
    let storage: Pick<MisconfigurableStores, "misconfigure" | "repair">;
    let made: Misconfiguration | undefined;
    const stores = openBeforeEach(async () => {
      const opened = await open();
      storage = opened;
      return opened;
    });
    afterEach(async () => {
      if (made !== undefined) await storage.repair(made);
      made = undefined;
    });

    it.each(MISTAKES)("fails with a remedy for a %s, and works once it is corrected", async (mistake) => {
      const { apps } = stores();
      const app = anApp();
      await storage.misconfigure(mistake);
      made = mistake;
      for (const call of [apps.insertOnce(app), apps.find(app.appId), apps.list()]) {
        const failure = (await call)._unsafeUnwrapErr();
        const remedy = failure.name === "storage.misconfigured" ? failure.remedy : failure.cause;
        expect(remedy).toMatch(/^[\x20-\x7e]+$/);
        expect(remedy).not.toContain(app.appId);
      }
      await storage.repair(mistake);
      made = undefined;
      expect(await expectOk(apps.list())).toEqual([]);
      expect(await expectOk(apps.insertOnce(app))).toEqual(app);
    });
  });
}
