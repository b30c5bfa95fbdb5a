import type { CodeStore } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aCode, aKeyedHash, FIXTURE_TIME, MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../support/open-before-each.js";
import { codeRemoval } from "./removal/code-removal.js";

const TRIES = 5;

/** Tests every promise of `CodeStore`. `open` returns an empty store for each test. */
export function codeStoreContract(adapter: string, open: () => Promise<Opened<CodeStore>>): void {
  describe(`CodeStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const attempt = (code: Parameters<CodeStore["attempt"]>[0], now = FIXTURE_TIME, maxTries = TRIES) =>
      expectOk(store().attempt(code, now, maxTries));

    describe("attempt", () => {
      it("matches the right code once", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        expect(await attempt(code)).toBe("matched");
        expect(await attempt(code)).toBe("wrong");
      });

      it("is wrong for a different code and for no code", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("wrong");
        expect(await attempt(aCode())).toBe("wrong");
        expect(await attempt(code)).toBe("matched");
      });

      it("is wrong once the code has expired", async () => {
        const code = aCode({ expiresAt: FIXTURE_TIME + MINUTE });
        await expectOk(store().replace(code));
        expect(await attempt(code, FIXTURE_TIME + MINUTE + 1)).toBe("wrong");
      });

      it("matches up to the last millisecond of the code", async () => {
        const code = aCode({ expiresAt: FIXTURE_TIME + MINUTE });
        await expectOk(store().replace(code));
        expect(await attempt(code, FIXTURE_TIME + MINUTE - 1)).toBe("matched");
      });

      it("is exhausted after maxTries wrong tries, for the right code too", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        for (let tried = 0; tried < TRIES; tried += 1) {
          expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("wrong");
        }
        expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("exhausted");
        expect(await attempt(code)).toBe("exhausted");
      });

      it("still matches on the last try", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        for (let tried = 1; tried < TRIES; tried += 1) await attempt({ ...code, codeHash: aKeyedHash() });
        expect(await attempt(code)).toBe("matched");
      });

      it(`matches one of ${CONCURRENT_CALLERS} concurrent right tries`, async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        const outcomes = await race(CONCURRENT_CALLERS, () =>
          store().attempt(code, FIXTURE_TIME, 2 * CONCURRENT_CALLERS),
        );
        expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(CONCURRENT_CALLERS - 1);
      });

      it(`compares no more than maxTries of ${2 * CONCURRENT_CALLERS} concurrent wrong tries`, async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        const outcomes = await race(2 * CONCURRENT_CALLERS, () =>
          store().attempt({ ...code, codeHash: aKeyedHash() }, FIXTURE_TIME, TRIES),
        );
        expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(TRIES);
        expect(outcomes.filter((outcome) => outcome === "exhausted")).toHaveLength(
          2 * CONCURRENT_CALLERS - TRIES,
        );
        expect(await attempt(code)).toBe("exhausted");
      });

      // A busy database runs tries of one code at the same moment. A single race may not do so.
      it(`matches one try of each code, and compares no more than maxTries, among tries of ${CONCURRENT_CALLERS} codes`, async () => {
        const codes = Array.from({ length: CONCURRENT_CALLERS }, () => aCode());
        for (const code of codes) await expectOk(store().replace(code));
        const outcomes = await race(CONCURRENT_CALLERS * 2 * TRIES, (caller) => {
          const code = codes[Math.floor(caller / (2 * TRIES))] ?? aCode();
          // Every second code is tried with wrong codes only.
          const isWrong = codes.indexOf(code) % 2 === 1;
          return store().attempt(isWrong ? { ...code, codeHash: aKeyedHash() } : code, FIXTURE_TIME, TRIES);
        });
        for (const index of codes.keys()) {
          const tries = outcomes.slice(index * 2 * TRIES, (index + 1) * 2 * TRIES);
          const count = (wanted: string) => tries.filter((outcome) => outcome === wanted).length;
          const counts = { matched: count("matched"), wrong: count("wrong"), exhausted: count("exhausted") };
          expect(counts).toEqual(
            index % 2 === 1
              ? { matched: 0, wrong: TRIES, exhausted: TRIES }
              : { matched: 1, wrong: 2 * TRIES - 1, exhausted: 0 },
          );
        }
      });
    });

    describe("replace", () => {
      it("makes the new code the only live one", async () => {
        const old = aCode();
        const fresh = { ...old, codeHash: aKeyedHash() };
        await expectOk(store().replace(old));
        await expectOk(store().replace(fresh));
        expect(await attempt(old)).toBe("wrong");
        expect(await attempt(fresh)).toBe("matched");
      });

      it("starts with no tries counted", async () => {
        const old = aCode();
        const fresh = { ...old, codeHash: aKeyedHash() };
        await expectOk(store().replace(old));
        for (let tried = 0; tried <= TRIES; tried += 1) await attempt(fresh);
        expect(await attempt(old)).toBe("exhausted");
        await expectOk(store().replace(fresh));
        expect(await attempt(fresh)).toBe("matched");
      });

      it("brings a consumed code to life when it is the same digits again", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        await attempt(code);
        await expectOk(store().replace(code));
        expect(await attempt(code)).toBe("matched");
      });

      it(`leaves one live code after ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const { phoneHash } = aCode();
        const codes = Array.from({ length: CONCURRENT_CALLERS }, () => aCode({ phoneHash }));
        await race(CONCURRENT_CALLERS, (caller) => store().replace(codes[caller] ?? aCode()));
        const outcomes = await Promise.all(
          codes.map((code) => attempt(code, FIXTURE_TIME, 2 * CONCURRENT_CALLERS)),
        );
        expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
      });
    });

    describe("drop", () => {
      it("forgets the code", async () => {
        const code = aCode();
        await expectOk(store().replace(code));
        await expectOk(store().drop(code));
        expect(await attempt(code)).toBe("wrong");
      });

      it("leaves the code that took its place", async () => {
        const old = aCode();
        const fresh = { ...old, codeHash: aKeyedHash() };
        await expectOk(store().replace(old));
        await expectOk(store().replace(fresh));
        await expectOk(store().drop(old));
        expect(await attempt(fresh)).toBe("matched");
      });

      it(`leaves a code that replaces the dropped one among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const old = aCode();
        const fresh = { ...old, codeHash: aKeyedHash() };
        await expectOk(store().replace(old));
        await race(CONCURRENT_CALLERS, (caller) =>
          caller === CONCURRENT_CALLERS / 2 ? store().replace(fresh) : store().drop(old),
        );
        expect(await attempt(old)).toBe("wrong");
        expect(await attempt(fresh)).toBe("matched");
      });

      it("does nothing where there is no code", async () => {
        await expectOk(store().drop(aCode()));
      });
    });

    codeRemoval(store);

    it("never lets one app or phone touch another's code", async () => {
      const code = aCode({ appId: "app_left" });
      const sameInOtherApp = { ...code, appId: "app_right" };
      const samePhoneOther = { ...code, phoneHash: aKeyedHash() };
      await expectOk(store().replace(code));
      for (const other of [sameInOtherApp, samePhoneOther]) {
        expect(await attempt(other)).toBe("wrong");
        await expectOk(store().drop(other));
        await expectOk(store().replace(other));
        for (let tried = 0; tried <= TRIES; tried += 1) await attempt({ ...other, codeHash: aKeyedHash() });
        expect(await attempt(other)).toBe("exhausted");
      }
      expect(await attempt(code)).toBe("matched");
    });
  });
}
