import type { CodeStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aCode, aKeyedHash, FIXTURE_TIME, CONCURRENT_CALLERS, tryLimits } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

/** Tests `CodeStore`: removing expired codes. */
export function codeRemoval(store: () => CodeStore): void {
  const removeExpired = (before: number, limit = 100) => expectOk(store().removeExpired(before, limit));
  const expired = (age = 1) => aCode({ expiresAt: FIXTURE_TIME - age });
  const matches = async (code: Parameters<CodeStore["attempt"]>[0]) =>
    (await expectOk(store().attempt(code, tryLimits()))) === "matched";

  describe("removeExpired", () => {
    it("removes the codes of every app that expired before the time, and returns how many", async () => {
      for (const code of [expired(2), aCode({ appId: "app_2", expiresAt: FIXTURE_TIME - 1 }), expired(0)])
        await expectOk(store().add(code, tryLimits()));
      expect(await removeExpired(FIXTURE_TIME)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME + 1)).toBe(1);
    });

    it("removes at most the limit", async () => {
      for (const age of [30, 10, 20]) await expectOk(store().add(expired(age), tryLimits()));
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME, 0)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(1);
    });

    it("keeps the wrong attempts of a day until the day has ended", async () => {
      const code = aCode();
      const limits = tryLimits({ perDay: 1 });
      await expectOk(store().add(code, limits));
      await expectOk(store().attempt({ ...code, codeHash: aKeyedHash() }, limits));
      expect(await removeExpired(limits.dayEndsAt)).toBe(0);
      const later = { ...limits, now: limits.dayEndsAt - 1 };
      expect(await expectOk(store().attempt(code, later))).toBe("locked");
      expect(await removeExpired(limits.dayEndsAt + 1)).toBe(1);
    });

    it("keeps a live code and its counted attempts", async () => {
      const code = aCode();
      await expectOk(store().add(code, tryLimits()));
      const wrong = { ...code, codeHash: aKeyedHash() };
      for (let tried = 0; tried < 5; tried += 1) await expectOk(store().attempt(wrong, tryLimits()));
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
      expect(await expectOk(store().attempt(code, tryLimits()))).toBe("exhausted");
    });

    it(`counts each code once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      await race(2 * CONCURRENT_CALLERS, (caller) => store().add(expired(1 + (caller % 7)), tryLimits()));
      expect(await drained((limit) => store().removeExpired(FIXTURE_TIME, limit))).toBe(
        2 * CONCURRENT_CALLERS,
      );
    });

    it(`loses no code that replaces an expired one during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const old = Array.from({ length: CONCURRENT_CALLERS }, () => expired());
      for (const code of old) await expectOk(store().add(code, tryLimits()));
      const fresh = old.map(({ phoneHash }) => aCode({ phoneHash }));
      const counts = await race(2 * CONCURRENT_CALLERS, (caller) => {
        const code = fresh[caller];
        return code === undefined
          ? store().removeExpired(FIXTURE_TIME, 5)
          : store()
              .add(code, tryLimits())
              .map(() => 0);
      });
      const removed = counts.reduce((sum, count) => sum + count, 0) + (await removeExpired(FIXTURE_TIME));
      expect(removed).toBeLessThanOrEqual(CONCURRENT_CALLERS);
      for (const code of fresh) expect(await matches(code)).toBe(true);
    });

    it(`matches one of ${CONCURRENT_CALLERS} concurrent right attempts during a removal`, async () => {
      const code = aCode();
      await expectOk(store().add(code, tryLimits()));
      const outcomes = await race(2 * CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? store().attempt(code, tryLimits({ perCode: 2 * CONCURRENT_CALLERS }))
          : store()
              .removeExpired(FIXTURE_TIME, 5)
              .map((count) => `removed ${String(count)}`),
      );
      expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "removed 0")).toHaveLength(CONCURRENT_CALLERS);
    });
  });
}
