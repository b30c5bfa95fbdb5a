import type { CodeStore } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aCode, aKeyedHash, FIXTURE_TIME, MINUTE, CONCURRENT_CALLERS } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

/** Tests `CodeStore`: removing expired codes. */
export function codeRemoval(store: () => CodeStore): void {
  const removeExpired = (before: number, limit = 100) => expectOk(store().removeExpired(before, limit));
  const expired = (age = 1) => aCode({ expiresAt: FIXTURE_TIME - age });
  const matches = async (code: Parameters<CodeStore["attempt"]>[0]) =>
    (await expectOk(store().attempt(code, FIXTURE_TIME, 5))) === "matched";

  describe("removeExpired", () => {
    it("removes the codes that expired before the instant, whatever their app, and returns how many", async () => {
      for (const code of [expired(2), aCode({ appId: "app_2", expiresAt: FIXTURE_TIME - 1 }), expired(0)])
        await expectOk(store().replace(code));
      expect(await removeExpired(FIXTURE_TIME)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME + 1)).toBe(1);
    });

    it("forgets no more than the limit", async () => {
      for (const age of [30, 10, 20]) await expectOk(store().replace(expired(age)));
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME, 0)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(1);
    });

    it("does not find a code that was matched", async () => {
      const code = aCode();
      await expectOk(store().replace(code));
      expect(await matches(code)).toBe(true);
      expect(await removeExpired(FIXTURE_TIME + 10 * MINUTE)).toBe(0);
    });

    it("leaves a live code, with the tries that are counted", async () => {
      const code = aCode();
      await expectOk(store().replace(code));
      const wrong = { ...code, codeHash: aKeyedHash() };
      for (let tried = 0; tried < 5; tried += 1) await expectOk(store().attempt(wrong, FIXTURE_TIME, 5));
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
      expect(await expectOk(store().attempt(code, FIXTURE_TIME, 5))).toBe("exhausted");
    });

    it(`counts each code once over ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      await race(2 * CONCURRENT_CALLERS, (caller) => store().replace(expired(1 + (caller % 7))));
      expect(await drained((limit) => store().removeExpired(FIXTURE_TIME, limit))).toBe(
        2 * CONCURRENT_CALLERS,
      );
    });

    it(`loses no code that takes the place of an expired one among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const old = Array.from({ length: CONCURRENT_CALLERS }, () => expired());
      for (const code of old) await expectOk(store().replace(code));
      const fresh = old.map(({ phoneHash }) => aCode({ phoneHash }));
      const counts = await race(2 * CONCURRENT_CALLERS, (caller) => {
        const code = fresh[caller];
        return code === undefined
          ? store().removeExpired(FIXTURE_TIME, 5)
          : store()
              .replace(code)
              .map(() => 0);
      });
      const removed = counts.reduce((sum, count) => sum + count, 0) + (await removeExpired(FIXTURE_TIME));
      expect(removed).toBeLessThanOrEqual(CONCURRENT_CALLERS);
      for (const code of fresh) expect(await matches(code)).toBe(true);
    });

    it(`lets one of ${CONCURRENT_CALLERS} concurrent right tries match while others remove`, async () => {
      const code = aCode();
      await expectOk(store().replace(code));
      const outcomes = await race(2 * CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? store().attempt(code, FIXTURE_TIME, 2 * CONCURRENT_CALLERS)
          : store()
              .removeExpired(FIXTURE_TIME, 5)
              .map((count) => `removed ${String(count)}`),
      );
      expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "removed 0")).toHaveLength(CONCURRENT_CALLERS);
    });
  });
}
