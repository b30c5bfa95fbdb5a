import type { FiguresStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME, MINUTE, UNUSUAL_TEXT } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

const READING = { text: JSON.stringify({ alarms: [UNUSUAL_TEXT] }), at: FIXTURE_TIME };

/** Tests every requirement of `FiguresStore`. `open` returns an empty store for each test. */
export function figuresStoreContract(adapter: string, open: () => Promise<Opened<FiguresStore>>): void {
  describe(`FiguresStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const claimOf = (id: string, now = FIXTURE_TIME) => ({
      id,
      now,
      until: now + MINUTE,
      olderThan: now - 1_000,
    });
    const claim = (id: string, now = FIXTURE_TIME) => expectOk(store().claim(claimOf(id, now)));
    const save = (id: string, reading = READING) => expectOk(store().save(id, reading));

    it("grants the first claim, without a reading", async () => {
      expect(await claim("first")).toStrictEqual({ isClaimed: true });
      expect(await claim("second")).toStrictEqual({ isClaimed: false });
    });

    it("returns the saved reading exactly as given, and no claim while the reading is recent", async () => {
      await claim("first");
      expect(await save("first")).toBe(true);
      expect(await claim("second", FIXTURE_TIME + 999)).toStrictEqual({ isClaimed: false, reading: READING });
    });

    it("grants the next claim, with the previous reading, once this reading is old enough", async () => {
      await claim("first");
      await save("first");
      const old = FIXTURE_TIME + 1_000;
      expect(await claim("second", old)).toStrictEqual({ isClaimed: true, reading: READING });
      expect(await claim("third", old)).toStrictEqual({ isClaimed: false, reading: READING });
    });

    it("grants a claim again once the claim of a dead process has ended, and ignores what that process saves", async () => {
      await claim("died");
      expect(await claim("second", FIXTURE_TIME + MINUTE - 1)).toMatchObject({ isClaimed: false });
      expect(await claim("second", FIXTURE_TIME + MINUTE)).toStrictEqual({ isClaimed: true });
      expect(await save("died")).toBe(false);
      const later = { text: "later", at: FIXTURE_TIME + MINUTE };
      expect(await save("second", later)).toBe(true);
      expect(await save("second")).toBe(false);
      expect(await claim("third", later.at)).toStrictEqual({ isClaimed: false, reading: later });
    });

    it(`grants one of ${CONCURRENT_CALLERS} concurrent claims, at first and when the reading is old`, async () => {
      for (const now of [FIXTURE_TIME, FIXTURE_TIME + MINUTE]) {
        const claimed = await race(CONCURRENT_CALLERS, (caller) =>
          store().claim(claimOf(`${now} ${caller}`, now)),
        );
        const winners = claimed.flatMap(({ isClaimed }, caller) => (isClaimed ? [`${now} ${caller}`] : []));
        expect(winners).toHaveLength(1);
        for (const winner of winners) expect(await save(winner, { ...READING, at: now })).toBe(true);
      }
    });
  });
}
