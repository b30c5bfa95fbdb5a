import type { ServiceTypeStore } from "@tillkit/core/ports";
import { ok } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  aServiceType,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

/** Tests every requirement of `ServiceTypeStore`. `open` returns an empty store for each test. */
export function serviceTypeStoreContract(
  adapter: string,
  open: () => Promise<Opened<ServiceTypeStore>>,
): void {
  describe(`ServiceTypeStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);

    it("stores the type exactly as given", async () => {
      const type = aServiceType({ serviceName: UNUSUAL_TEXT, durationMs: 36_500 * DAY + 1 });
      expect(await expectOk(store().insertOnce(type))).toEqual(type);
      expect(await expectOk(store().find(type.appId, type.serviceTypeNo))).toEqual(type);
    });

    it("returns the existing type with its appId and serviceTypeNo and changes nothing", async () => {
      const first = await expectOk(store().insertOnce(aServiceType()));
      const { serviceTypeNo } = first;
      expect(await expectOk(store().insertOnce(aServiceType({ serviceTypeNo, durationMs: 1 })))).toEqual(
        first,
      );
      expect(await expectOk(store().list(first.appId))).toEqual([first]);
    });

    it(`returns one type to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const serviceTypeNo = unique("T-");
      const stored = await race(CONCURRENT_CALLERS, (caller) =>
        store().insertOnce(aServiceType({ serviceTypeNo, durationMs: caller + 1 })),
      );
      expect(stored).toEqual(stored.map(() => stored[0]));
      expect(await expectOk(store().list("app_1"))).toEqual([stored[0]]);
    });

    it("never returns another app's types", async () => {
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

    it("renames a type and changes nothing else", async () => {
      const { appId, serviceTypeNo, ...type } = await expectOk(store().insertOnce(aServiceType()));
      const renamed = { ...type, appId, serviceTypeNo, serviceName: UNUSUAL_TEXT };
      expect(await expectOk(store().rename(appId, serviceTypeNo, UNUSUAL_TEXT))).toEqual(renamed);
      expect(await expectOk(store().find(appId, serviceTypeNo))).toEqual(renamed);
      expect(await expectOk(store().list(appId))).toEqual([renamed]);
    });

    it("retires a type once, and restores it", async () => {
      const type = await expectOk(store().insertOnce(aServiceType()));
      const { appId, serviceTypeNo } = type;
      const retired = { ...type, retiredAt: FIXTURE_TIME };
      expect(await expectOk(store().retire(appId, serviceTypeNo, FIXTURE_TIME))).toEqual(retired);
      expect(await expectOk(store().retire(appId, serviceTypeNo, FIXTURE_TIME + 1))).toEqual(retired);
      expect(await expectOk(store().find(appId, serviceTypeNo))).toEqual(retired);
      expect(await expectOk(store().list(appId))).toEqual([retired]);
      expect(await expectOk(store().restore(appId, serviceTypeNo))).toEqual(type);
      expect(await expectOk(store().restore(appId, serviceTypeNo))).toEqual(type);
      expect(await expectOk(store().find(appId, serviceTypeNo))).toEqual(type);
    });

    it("stores a retired type, renames it, and returns it for its number", async () => {
      const type = await expectOk(store().insertOnce(aServiceType({ retiredAt: FIXTURE_TIME })));
      const { appId, serviceTypeNo } = type;
      expect(type).toMatchObject({ retiredAt: FIXTURE_TIME });
      expect(await expectOk(store().insertOnce(aServiceType({ appId, serviceTypeNo })))).toEqual(type);
      expect(await expectOk(store().rename(appId, serviceTypeNo, "Other"))).toEqual({
        ...type,
        serviceName: "Other",
      });
    });

    it(`returns one time to ${CONCURRENT_CALLERS} concurrent retirements`, async () => {
      const { appId, serviceTypeNo } = await expectOk(store().insertOnce(aServiceType()));
      const retired = await race(CONCURRENT_CALLERS, (caller) =>
        store().retire(appId, serviceTypeNo, FIXTURE_TIME + caller),
      );
      expect(retired[0]?.retiredAt).toBeGreaterThanOrEqual(FIXTURE_TIME);
      expect(retired).toEqual(retired.map(() => retired[0]));
      expect(await expectOk(store().find(appId, serviceTypeNo))).toEqual(retired[0]);
    });

    it("finds a type retired as soon as its retirement returns, also with concurrent changes", async () => {
      const { appId, serviceTypeNo } = await expectOk(store().insertOnce(aServiceType()));
      let isRetired = false;
      const found = await race(CONCURRENT_CALLERS, async (caller) => {
        if (caller === 0) {
          await expectOk(store().retire(appId, serviceTypeNo, FIXTURE_TIME));
          isRetired = true;
        }
        if (caller === 1) await expectOk(store().rename(appId, serviceTypeNo, "Other"));
        const reads = [];
        for (let nth = 0; nth < 5; nth += 1) {
          const mustBeRetired = isRetired;
          const type = await expectOk(store().find(appId, serviceTypeNo));
          reads.push({ mustBeRetired, retiredAt: type?.retiredAt });
        }
        return ok(reads);
      });
      const later = found.flat().filter(({ mustBeRetired }) => mustBeRetired);
      expect(later.length).toBeGreaterThanOrEqual(5);
      expect(new Set(later.map(({ retiredAt }) => retiredAt))).toEqual(new Set([FIXTURE_TIME]));
      expect(await expectOk(store().find(appId, serviceTypeNo))).toMatchObject({
        serviceName: "Other",
        retiredAt: FIXTURE_TIME,
      });
    });

    it("changes no type of another app, and creates no type that does not exist", async () => {
      const type = await expectOk(store().insertOnce(aServiceType()));
      const { serviceTypeNo } = type;
      const gone = [
        store().rename("app_other", serviceTypeNo, "Other"),
        store().retire("app_other", serviceTypeNo, FIXTURE_TIME),
        store().restore("app_other", serviceTypeNo),
        store().rename(type.appId, "none", "Other"),
        store().retire(type.appId, "none", FIXTURE_TIME),
        store().restore(type.appId, "none"),
      ];
      for (const change of gone) expect(await expectOk(change)).toBeUndefined();
      expect(await expectOk(store().list(type.appId))).toEqual([type]);
      expect(await expectOk(store().list("app_other"))).toEqual([]);
    });
  });
}
