import type { ServiceTypeStore } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aServiceType, AWKWARD_TEXT, DAY, CONCURRENT_CALLERS, unique } from "../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../support/open-before-each.js";

/** Tests every promise of `ServiceTypeStore`. `open` returns an empty store for each test. */
export function serviceTypeStoreContract(
  adapter: string,
  open: () => Promise<Opened<ServiceTypeStore>>,
): void {
  describe(`ServiceTypeStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);

    it("stores the type exactly as given", async () => {
      const type = aServiceType({ serviceName: AWKWARD_TEXT, durationMs: 36_500 * DAY + 1 });
      expect(await expectOk(store().insertOnce(type))).toEqual(type);
      expect(await expectOk(store().find(type.appId, type.serviceTypeNo))).toEqual(type);
    });

    it("returns the type already held for its appId and serviceTypeNo and changes nothing", async () => {
      const first = await expectOk(store().insertOnce(aServiceType()));
      const { serviceTypeNo } = first;
      expect(await expectOk(store().insertOnce(aServiceType({ serviceTypeNo, durationMs: 1 })))).toEqual(
        first,
      );
      expect(await expectOk(store().list(first.appId))).toEqual([first]);
    });

    it(`makes ${CONCURRENT_CALLERS} concurrent calls agree on one`, async () => {
      const serviceTypeNo = unique("T-");
      const stored = await race(CONCURRENT_CALLERS, (caller) =>
        store().insertOnce(aServiceType({ serviceTypeNo, durationMs: caller + 1 })),
      );
      expect(stored).toEqual(stored.map(() => stored[0]));
      expect(await expectOk(store().list("app_1"))).toEqual([stored[0]]);
    });

    it("never shows one app another's types", async () => {
      const left = await expectOk(
        store().insertOnce(aServiceType({ appId: "app_left", serviceTypeNo: "T" })),
      );
      const right = await expectOk(
        store().insertOnce(aServiceType({ appId: "app_right", serviceTypeNo: "T", durationMs: 1 })),
      );
      expect(await expectOk(store().find("app_left", "T"))).toEqual(left);
      expect(await expectOk(store().find("app_right", "T"))).toEqual(right);
      expect(await expectOk(store().list("app_left"))).toEqual([left]);
      expect(await expectOk(store().find("app_other", "T"))).toBeUndefined();
      expect(await expectOk(store().list("app_other"))).toEqual([]);
    });

    it("lists the app's types by number", async () => {
      for (const serviceTypeNo of ["T-c", "T-a", "T-b"])
        await expectOk(store().insertOnce(aServiceType({ serviceTypeNo })));
      const listed = await expectOk(store().list("app_1"));
      expect(listed.map((type) => type.serviceTypeNo)).toEqual(["T-a", "T-b", "T-c"]);
    });
  });
}
