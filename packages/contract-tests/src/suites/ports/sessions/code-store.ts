import type { AuthCode, AuthCodeKey, CodeStore, TryLimits } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aCode,
  aKeyedHash,
  FIXTURE_TIME,
  MINUTE,
  CONCURRENT_CALLERS,
  tryLimits,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { codeRemoval } from "./code-removal.js";

const TRIES = 5;

/** Tests every requirement of `CodeStore`. `open` returns an empty store for each test. */
export function codeStoreContract(adapter: string, open: () => Promise<Opened<CodeStore>>): void {
  describe(`CodeStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const attempt = (code: AuthCodeKey, changes: Partial<TryLimits> = {}) =>
      expectOk(store().attempt(code, tryLimits({ perCode: TRIES, ...changes })));
    const add = (code: AuthCode, changes: Partial<TryLimits> = {}) =>
      expectOk(store().add(code, tryLimits(changes)));

    describe("attempt", () => {
      it("matches the right code once", async () => {
        const code = aCode();
        await add(code);
        expect(await attempt(code)).toBe("matched");
        expect(await attempt(code)).toBe("none");
      });

      it("returns `wrong` for a different code, and `none` if there is no code", async () => {
        const code = aCode();
        await add(code);
        expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("wrong");
        expect(await attempt(aCode())).toBe("none");
        expect(await attempt(code)).toBe("matched");
      });

      it("returns `none` after the code has expired", async () => {
        const code = aCode({ expiresAt: FIXTURE_TIME + MINUTE });
        await add(code);
        expect(await attempt(code, { now: FIXTURE_TIME + MINUTE })).toBe("none");
      });

      it("matches up to the last millisecond of the code", async () => {
        const code = aCode({ expiresAt: FIXTURE_TIME + MINUTE });
        await add(code);
        expect(await attempt(code, { now: FIXTURE_TIME + MINUTE - 1 })).toBe("matched");
      });

      it("returns `exhausted` after maxTries wrong attempts, also for the right code", async () => {
        const code = aCode();
        await add(code);
        for (let tried = 0; tried < TRIES; tried += 1) {
          expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("wrong");
        }
        expect(await attempt({ ...code, codeHash: aKeyedHash() })).toBe("exhausted");
        expect(await attempt(code)).toBe("exhausted");
      });

      it("still matches on the last attempt", async () => {
        const code = aCode();
        await add(code);
        for (let tried = 1; tried < TRIES; tried += 1) await attempt({ ...code, codeHash: aKeyedHash() });
        expect(await attempt(code)).toBe("matched");
      });

      it(`matches one of ${CONCURRENT_CALLERS} concurrent right attempts`, async () => {
        const code = aCode();
        await add(code);
        const outcomes = await race(CONCURRENT_CALLERS, () =>
          store().attempt(code, tryLimits({ perCode: 2 * CONCURRENT_CALLERS })),
        );
        expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome === "none")).toHaveLength(CONCURRENT_CALLERS - 1);
      });

      it(`compares at most maxTries of ${2 * CONCURRENT_CALLERS} concurrent wrong attempts`, async () => {
        const code = aCode();
        await add(code);
        const outcomes = await race(2 * CONCURRENT_CALLERS, () =>
          store().attempt({ ...code, codeHash: aKeyedHash() }, tryLimits({ perCode: TRIES })),
        );
        expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(TRIES);
        expect(outcomes.filter((outcome) => outcome === "exhausted")).toHaveLength(
          2 * CONCURRENT_CALLERS - TRIES,
        );
        expect(await attempt(code)).toBe("exhausted");
      });

      // Only a busy database runs attempts at one code at the same moment, so many codes are tried.
      it(`matches one attempt per code, and compares at most maxTries, for concurrent attempts of ${CONCURRENT_CALLERS} codes`, async () => {
        const codes = Array.from({ length: CONCURRENT_CALLERS }, () => aCode());
        for (const code of codes) await add(code);
        const outcomes = await race(CONCURRENT_CALLERS * 2 * TRIES, (caller) => {
          const code = codes[Math.floor(caller / (2 * TRIES))] ?? aCode();
          // Every second code is tried with wrong codes only.
          const isWrong = codes.indexOf(code) % 2 === 1;
          return store().attempt(
            isWrong ? { ...code, codeHash: aKeyedHash() } : code,
            tryLimits({ perCode: TRIES }),
          );
        });
        for (const index of codes.keys()) {
          const tries = outcomes.slice(index * 2 * TRIES, (index + 1) * 2 * TRIES);
          const count = (wanted: string) => tries.filter((outcome) => outcome === wanted).length;
          const counts = [count("matched"), count("wrong"), count("exhausted"), count("none")];
          expect(counts).toEqual(index % 2 === 1 ? [0, TRIES, TRIES, 0] : [1, 0, 0, 2 * TRIES - 1]);
        }
      });
    });

    describe("add", () => {
      it("keeps the two newest codes live, and consumes both with one login", async () => {
        const [first, second, third] = codesOfOneNumber(3);
        expect(await add(first)).toBe("alone");
        expect(await add(second)).toBe("beside");
        expect(await add(third)).toBe("beside");
        expect(await attempt(first)).toBe("wrong");
        expect(await attempt(second)).toBe("matched");
        expect(await attempt(third)).toBe("none");
      });

      it("returns `alone` if the earlier code has expired or was consumed", async () => {
        const [first, second, third] = codesOfOneNumber(3);
        await add({ ...first, expiresAt: FIXTURE_TIME });
        expect(await add(second)).toBe("alone");
        await attempt(second);
        expect(await add(third)).toBe("alone");
      });

      it("gives the new code its own attempts, and counts each attempt against both codes", async () => {
        const [first, second] = codesOfOneNumber(2);
        await add(first);
        for (let tried = 0; tried < TRIES - 1; tried += 1) await attempt(wrong(first));
        await add(second);
        expect(await attempt(wrong(first))).toBe("wrong");
        expect(await attempt(first)).toBe("wrong");
        for (let tried = 0; tried < TRIES - 2; tried += 1) expect(await attempt(wrong(first))).toBe("wrong");
        expect(await attempt(second)).toBe("exhausted");
      });

      it("makes a phone number usable again after the attempts of its code are used up", async () => {
        const [first, second] = codesOfOneNumber(2);
        await add(first);
        for (let tried = 0; tried < TRIES; tried += 1) await attempt(wrong(first));
        expect(await attempt(first)).toBe("exhausted");
        await add(second);
        expect(await attempt(first)).toBe("wrong");
        expect(await attempt(second)).toBe("matched");
      });

      it("makes the same digits valid again after they were consumed", async () => {
        const code = aCode();
        await add(code);
        await attempt(code);
        await add(code);
        expect(await attempt(code)).toBe("matched");
      });

      it(`keeps two live codes after ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const codes = codesOfOneNumber(CONCURRENT_CALLERS);
        const added = await race(CONCURRENT_CALLERS, (caller) =>
          store().add(codes[caller] ?? aCode(), tryLimits()),
        );
        expect(added.filter((outcome) => outcome === "alone")).toHaveLength(1);
        const outcomes: string[] = [];
        for (const code of codes) outcomes.push(await attempt(code, { perCode: 2 * CONCURRENT_CALLERS }));
        expect(outcomes.filter((outcome) => outcome === "matched")).toHaveLength(1);
      });
    });

    describe("dropEarlier", () => {
      it("makes the code the only valid code", async () => {
        const [first, second, third] = codesOfOneNumber(3);
        for (const code of [first, second, third]) await add(code);
        await expectOk(store().dropEarlier(second));
        expect(await attempt(first)).toBe("wrong");
        await expectOk(store().drop(third));
        await expectOk(store().dropEarlier(second));
        expect(await attempt(first)).toBe("wrong");
        expect(await attempt(second)).toBe("matched");
      });

      it("changes nothing if the code is not stored", async () => {
        const [first, second] = codesOfOneNumber(2);
        await expectOk(store().dropEarlier(second));
        await add(first);
        await expectOk(store().dropEarlier(second));
        expect(await attempt(first)).toBe("matched");
      });

      it("never removes a newer code, whatever calls run at the same time", async () => {
        for (let round = 0; round < 5; round += 1) {
          const [first, second, third] = codesOfOneNumber(3);
          await add(first);
          await add(second);
          await race(3, (caller) =>
            caller === 1
              ? store()
                  .add(third, tryLimits())
                  .map(() => undefined)
              : store().dropEarlier(second),
          );
          expect(await attempt(first)).toBe("wrong");
          expect(await attempt(third)).toBe("matched");
        }
      });
    });

    describe("drop", () => {
      it("removes the code, and leaves the earlier codes valid", async () => {
        const [first, second, third] = codesOfOneNumber(3);
        for (const code of [first, second, third]) await add(code);
        await expectOk(store().drop(third));
        expect(await attempt(third)).toBe("wrong");
        expect(await attempt(first)).toBe("matched");
      });

      it("removes the only code", async () => {
        const code = aCode();
        await add(code);
        await expectOk(store().drop(code));
        expect(await attempt(code)).toBe("none");
      });

      it("keeps the attempts that were counted", async () => {
        const [first, second] = codesOfOneNumber(2);
        await add(first);
        for (let tried = 0; tried < TRIES; tried += 1) await attempt(wrong(first));
        await add(second);
        await expectOk(store().drop(second));
        expect(await attempt(first)).toBe("exhausted");
      });

      it(`leaves the earlier code after ${CONCURRENT_CALLERS} concurrent refused messages`, async () => {
        const first = aCode();
        await add(first);
        await race(CONCURRENT_CALLERS, () => {
          const code = { ...first, codeHash: aKeyedHash() };
          return store()
            .add(code, tryLimits())
            .andThen(() => store().drop(code));
        });
        expect(await attempt(first)).toBe("matched");
      });

      it("does nothing if there is no code", async () => {
        await expectOk(store().drop(aCode()));
      });
    });

    describe("the wrong attempts of a day", () => {
      const perDay = 3;

      it("lock the number for the rest of the day, also for a new code", async () => {
        const [first, second, third] = codesOfOneNumber(3);
        const dayEndsAt = FIXTURE_TIME + MINUTE;
        const day = { perDay, dayEndsAt };
        await add(first, day);
        for (let tried = 0; tried < perDay; tried += 1)
          expect(await attempt(wrong(first), day)).toBe("wrong");
        expect(await attempt(first, day)).toBe("locked");
        expect(await add(second, day)).toBe("locked");
        expect(await attempt(second, { ...day, now: dayEndsAt - 1 })).toBe("locked");
        const nextDay = { perDay, now: dayEndsAt, dayEndsAt: dayEndsAt + 10 * MINUTE };
        expect(await attempt(second, nextDay)).toBe("wrong");
        expect(await add(third, nextDay)).toBe("beside");
        expect(await attempt(third, nextDay)).toBe("matched");
      });

      it("add up over several codes, and right attempts do not count", async () => {
        const codes = codesOfOneNumber(3);
        const [, , last] = codes;
        for (const code of codes) {
          await add(code, { perDay });
          expect(await attempt(wrong(code), { perDay })).toBe("wrong");
          if (code !== last) expect(await attempt(code, { perDay })).toBe("matched");
        }
        expect(await attempt(last, { perDay })).toBe("locked");
      });

      it("do not count without a live code", async () => {
        const code = aCode();
        for (let tried = 0; tried < 2 * perDay; tried += 1)
          expect(await attempt(wrong(code), { perDay })).toBe("none");
        await add({ ...code, expiresAt: FIXTURE_TIME });
        for (let tried = 0; tried < 2 * perDay; tried += 1)
          expect(await attempt(wrong(code), { perDay })).toBe("none");
        await add(code, { perDay });
        expect(await attempt(code, { perDay })).toBe("matched");
      });

      it("do not count after the attempts of the code are used up", async () => {
        const [first, second] = codesOfOneNumber(2);
        const limits = { perCode: 1, perDay };
        await add(first, limits);
        await attempt(wrong(first), limits);
        for (let tried = 0; tried < 2 * perDay; tried += 1)
          expect(await attempt(wrong(first), limits)).toBe("exhausted");
        await add(second, limits);
        expect(await attempt(second, limits)).toBe("matched");
      });

      it(`never exceed the limit in ${2 * CONCURRENT_CALLERS} concurrent attempts`, async () => {
        const code = aCode();
        await add(code);
        const outcomes = await race(2 * CONCURRENT_CALLERS, () =>
          store().attempt(wrong(code), tryLimits({ perCode: 100, perDay })),
        );
        expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(perDay);
        expect(outcomes.filter((outcome) => outcome === "locked")).toHaveLength(
          2 * CONCURRENT_CALLERS - perDay,
        );
      });

      it("allow nothing if the limit is 0", async () => {
        const code = aCode();
        expect(await add(code, { perDay: 0 })).toBe("locked");
        await add(code);
        expect(await attempt(code, { perDay: 0 })).toBe("locked");
      });
    });

    codeRemoval(store);

    it("never affects the codes of another app or phone number", async () => {
      const code = aCode({ appId: "app_left" });
      const sameInOtherApp = { ...code, appId: "app_right" };
      const samePhoneOther = { ...code, phoneHash: aKeyedHash() };
      await add(code);
      for (const other of [sameInOtherApp, samePhoneOther]) {
        expect(await attempt(other)).toBe("none");
        await expectOk(store().drop(other));
        await expectOk(store().dropEarlier(other));
        await add(other);
        for (let tried = 0; tried <= TRIES; tried += 1) await attempt(wrong(other));
        expect(await attempt(other)).toBe("exhausted");
        expect(await attempt(other, { perDay: TRIES })).toBe("locked");
      }
      expect(await attempt(code, { perDay: TRIES })).toBe("matched");
    });
  });
}

/** Returns a wrong code for the phone number of `code`. */
function wrong(code: AuthCode): AuthCode {
  return { ...code, codeHash: aKeyedHash() };
}

/** Returns codes of one app and number, the oldest first. */
function codesOfOneNumber(count: 2): readonly [AuthCode, AuthCode];
function codesOfOneNumber(count: 3): readonly [AuthCode, AuthCode, AuthCode];
function codesOfOneNumber(count: number): readonly AuthCode[];
function codesOfOneNumber(count: number): readonly AuthCode[] {
  const first = aCode();
  return Array.from({ length: count }, () => wrong(first));
}
