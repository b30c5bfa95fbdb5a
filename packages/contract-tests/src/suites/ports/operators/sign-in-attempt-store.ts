import type { SignInAttemptStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aHash, CONCURRENT_CALLERS, FIXTURE_TIME, MINUTE } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

const WINDOW = 15 * MINUTE;
const NAME = aHash("name");
const PEER = aHash("peer");

/** Tests every requirement of `SignInAttemptStore`. `open` returns an empty store for each test. */
export function signInAttemptStoreContract(
  adapter: string,
  open: () => Promise<Opened<SignInAttemptStore>>,
): void {
  describe(`SignInAttemptStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const take = (at: number, limits: Readonly<Record<string, number>>) =>
      store().take(
        Object.entries(limits).map(([subject, limit]) => ({ subject, limit })),
        { at, window: WINDOW },
      );
    const granted = async (at: number, limits: Readonly<Record<string, number>>) =>
      (await expectOk(take(at, limits))).granted;

    it("grants the limit in every period of the window's length, and returns when the next attempt is possible", async () => {
      for (const minute of [0, 10, 14]) expect(await granted(minute * MINUTE, { [NAME]: 3 })).toBe(true);
      const refused = { granted: false, retryAt: WINDOW };
      expect(await expectOk(take(14 * MINUTE, { [NAME]: 3 }))).toEqual(refused);
      expect(await expectOk(take(WINDOW - 1, { [NAME]: 3 }))).toEqual(refused);
      // Only the first attempt no longer counts. The other two still count.
      expect(await granted(WINDOW, { [NAME]: 3 })).toBe(true);
      expect(await expectOk(take(WINDOW, { [NAME]: 3 }))).toEqual({ granted: false, retryAt: 25 * MINUTE });
    });

    it("counts no refused attempt", async () => {
      expect(await granted(FIXTURE_TIME, { [NAME]: 1 })).toBe(true);
      for (const minute of [1, 5, 14])
        expect(await granted(FIXTURE_TIME + minute * MINUTE, { [NAME]: 1 })).toBe(false);
      expect(await granted(FIXTURE_TIME + WINDOW, { [NAME]: 1 })).toBe(true);
    });

    it("counts an attempt for all subjects or for none", async () => {
      expect(await granted(FIXTURE_TIME, { [NAME]: 1, [PEER]: 5 })).toBe(true);
      expect(await granted(FIXTURE_TIME, { [NAME]: 1, [PEER]: 2 })).toBe(false);
      expect(await granted(FIXTURE_TIME, { [PEER]: 2 })).toBe(true);
      expect(await granted(FIXTURE_TIME, { [PEER]: 2 })).toBe(false);
    });

    it("returns the time at which the last of several used limits ends", async () => {
      expect(await granted(FIXTURE_TIME, { [NAME]: 1 })).toBe(true);
      expect(await granted(FIXTURE_TIME + MINUTE, { [PEER]: 1 })).toBe(true);
      expect(await expectOk(take(FIXTURE_TIME + 2 * MINUTE, { [NAME]: 1, [PEER]: 1 }))).toEqual({
        granted: false,
        retryAt: FIXTURE_TIME + MINUTE + WINDOW,
      });
    });

    it("still counts attempts that seem to be later, because the clock was set back", async () => {
      expect(await granted(FIXTURE_TIME, { [NAME]: 2 })).toBe(true);
      expect(await granted(FIXTURE_TIME - MINUTE, { [NAME]: 2 })).toBe(true);
      expect(await expectOk(take(FIXTURE_TIME - MINUTE, { [NAME]: 2 }))).toEqual({
        granted: false,
        retryAt: FIXTURE_TIME - MINUTE + WINDOW,
      });
    });

    it(`grants exactly the limit to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const grants = await race(CONCURRENT_CALLERS, (caller) =>
        take(FIXTURE_TIME + caller, caller % 2 === 0 ? { [NAME]: 7, [PEER]: 99 } : { [PEER]: 99, [NAME]: 7 }),
      );
      expect(grants.filter((grant) => grant.granted)).toHaveLength(7);
    });

    it("gives one attempt back to each subject", async () => {
      for (let nth = 0; nth < 2; nth += 1) await granted(FIXTURE_TIME, { [NAME]: 2, [PEER]: 2 });
      await expectOk(store().giveBack([NAME, PEER, aHash("none")], FIXTURE_TIME));
      await expectOk(store().giveBack([NAME], FIXTURE_TIME + 1));
      for (const subject of [NAME, PEER]) {
        expect(await granted(FIXTURE_TIME, { [subject]: 2 })).toBe(true);
        expect(await granted(FIXTURE_TIME, { [subject]: 2 })).toBe(false);
      }
    });

    it(`gives back each attempt of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const limits = { [NAME]: CONCURRENT_CALLERS };
      await race(CONCURRENT_CALLERS, () => take(FIXTURE_TIME, limits));
      await race(CONCURRENT_CALLERS - 1, () => store().giveBack([NAME], FIXTURE_TIME));
      expect(await granted(FIXTURE_TIME, { [NAME]: 2 })).toBe(true);
      expect(await granted(FIXTURE_TIME, { [NAME]: 2 })).toBe(false);
    });

    it("removes subjects whose attempts are past, up to the limit", async () => {
      for (const age of [3, 2, 1]) await granted(FIXTURE_TIME - age, { [aHash(String(age))]: 1 });
      await granted(FIXTURE_TIME, { [NAME]: 1 });
      expect(await expectOk(store().removeBefore(FIXTURE_TIME, 2))).toBe(2);
      expect(await expectOk(store().removeBefore(FIXTURE_TIME, 2))).toBe(1);
      expect(await expectOk(store().removeBefore(FIXTURE_TIME, 2))).toBe(0);
      expect(await granted(FIXTURE_TIME, { [NAME]: 1 })).toBe(false);
    });

    it(`grants the limit to ${CONCURRENT_CALLERS} callers during the removal of past attempts`, async () => {
      await granted(FIXTURE_TIME - WINDOW, { [NAME]: 3 });
      const answers = await race(2 * CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? take(FIXTURE_TIME, { [NAME]: 3 }).map((grant) => grant.granted)
          : store()
              .removeBefore(FIXTURE_TIME, 5)
              .map(() => false),
      );
      expect(answers.filter(Boolean)).toHaveLength(3);
      expect(await granted(FIXTURE_TIME, { [NAME]: 3 })).toBe(false);
    });
  });
}
