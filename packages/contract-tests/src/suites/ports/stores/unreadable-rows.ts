import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anApp } from "../../../support/fixtures.js";
import { expectFailure, expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";

/** Stores whose rows a test can damage, as a person or another version of Tillkit may do. */
export interface DamageableStores extends Opened<Pick<Stores, "apps">> {
  /** Makes the stored row of the app unreadable. */
  damageApp(appId: string): Promise<void>;
}

/**
 * Tests that an unreadable row only affects the calls that need that row.
 *
 * For storages that read rows. A storage that keeps objects in the process has no rows to damage.
 * `open` returns new, empty stores for each test.
 *
 * @example
 * ```ts
 * import { unreadableRowsContract } from "@tillkit/contract-tests";
 * import { openMyDamageableStores } from "./my-adapter.js";
 *
 * unreadableRowsContract("my database", openMyDamageableStores);
 * ```
 */
export function unreadableRowsContract(adapter: string, open: () => Promise<DamageableStores>): void {
  describe(`Unreadable rows contract: ${adapter}`, () => {
    let damaging: Pick<DamageableStores, "damageApp">;
    const stores = openBeforeEach(async () => {
      const opened = await open();
      damaging = opened;
      return opened;
    });

    it("lists the other rows, and fails if the unreadable row is requested", async () => {
      const { apps } = stores();
      const [first, damaged, last] = [anApp(), anApp(), anApp()];
      for (const app of [first, damaged, last]) await expectOk(apps.insertOnce(app));
      await damaging.damageApp(damaged.appId);
      const listed = await expectOk(apps.list());
      expect(listed.map(({ appId }) => appId)).toEqual([first.appId, last.appId]);
      expect(await expectFailure(apps.find(damaged.appId))).toMatchObject({ name: "storage.misconfigured" });
      expect(await expectOk(apps.find(last.appId))).toMatchObject({ appId: last.appId });
    });
  });
}
