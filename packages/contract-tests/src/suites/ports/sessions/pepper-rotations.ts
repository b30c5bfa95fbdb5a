import type { SessionStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aKeyedHash, FIXTURE_TIME, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `SessionStore.identify`: a customer keeps the same id over all rotations of the pepper. */
export function pepperRotations(store: () => SessionStore): void {
  const identify = (hashes: readonly [string, ...string[]], candidate: string) =>
    expectOk(store().identify("app_1", hashes, candidate, FIXTURE_TIME));

  describe("identify after two rotations of the pepper", () => {
    it("finds a customer who did not log in between them", async () => {
      const [first, second, third] = [aKeyedHash(), aKeyedHash(), aKeyedHash()];
      expect(await identify([first], "customer-a")).toBe("customer-a");
      expect(await identify([third, second, first], "customer-b")).toBe("customer-a");
      for (const hash of [third, second, first])
        expect(await identify([hash], "customer-c")).toBe("customer-a");
    });

    it("finds a customer who logged in between them, without the first pepper", async () => {
      const [first, second, third] = [aKeyedHash(), aKeyedHash(), aKeyedHash()];
      await identify([first], "customer-a");
      await identify([second, first], "customer-b");
      expect(await identify([third, second], "customer-c")).toBe("customer-a");
      expect(await identify([third], "customer-d")).toBe("customer-a");
    });

    it(`finds one customer by the oldest hash in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const [first, second, third] = [aKeyedHash(), aKeyedHash(), aKeyedHash()];
      await identify([first], "customer-a");
      const ids = await race(CONCURRENT_CALLERS, (caller) => {
        const hashes = caller % 2 === 0 ? ([third, second, first] as const) : ([second, first] as const);
        return store().identify("app_1", hashes, `candidate-${caller}`, FIXTURE_TIME);
      });
      expect(new Set(ids)).toEqual(new Set(["customer-a"]));
      expect(await identify([third], "late")).toBe("customer-a");
    });
  });
}
