import type { AlertStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME, MINUTE, UNUSUAL_TEXT } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

const CHANNEL = "feishu";
const STATE = JSON.stringify({ alerts: { [UNUSUAL_TEXT]: { sends: 1 } } });

/** Tests every requirement of `AlertStore`. `open` returns an empty store for each test. */
export function alertStoreContract(adapter: string, open: () => Promise<Opened<AlertStore>>): void {
  describe(`AlertStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const claim = (id: string, now = FIXTURE_TIME, channel = CHANNEL) =>
      expectOk(store().claim(channel, { id, now, until: now + MINUTE }));

    it("has an empty state for a channel that was never claimed", async () => {
      expect(await claim("first")).toBe("");
    });

    it("grants a channel to one claim until the claim ends, and another channel to another claim", async () => {
      await claim("first");
      expect(await claim("second", FIXTURE_TIME + MINUTE - 1)).toBeUndefined();
      expect(await claim("second", FIXTURE_TIME + MINUTE - 1, "slack")).toBe("");
      expect(await claim("second", FIXTURE_TIME + MINUTE)).toBe("");
    });

    it(`grants a channel to one of ${CONCURRENT_CALLERS} concurrent claims, at first and after the claim has ended`, async () => {
      for (const now of [FIXTURE_TIME, FIXTURE_TIME + MINUTE]) {
        const claimed = await race(CONCURRENT_CALLERS, (caller) =>
          store().claim(CHANNEL, { id: `${now} ${caller}`, now, until: now + MINUTE }),
        );
        expect(claimed.filter((state) => state !== undefined)).toEqual([""]);
      }
    });

    it("stores the state exactly as given, and extends the claim", async () => {
      await claim("first");
      const extended = { until: FIXTURE_TIME + 2 * MINUTE };
      expect(await expectOk(store().save(CHANNEL, "first", STATE, extended))).toBe(true);
      expect(await claim("second", FIXTURE_TIME + MINUTE)).toBeUndefined();
      expect(await claim("second", FIXTURE_TIME + 2 * MINUTE)).toBe(STATE);
    });

    it("ends the claim, and grants the channel again when it is due", async () => {
      await claim("first");
      const dueAt = FIXTURE_TIME + 10 * MINUTE;
      expect(await expectOk(store().save(CHANNEL, "first", STATE, { dueAt }))).toBe(true);
      expect(await claim("second", dueAt - 1)).toBeUndefined();
      expect(await claim("second", dueAt)).toBe(STATE);
    });

    it("keeps the due time of the channel when a claim is extended", async () => {
      await claim("first");
      await expectOk(store().save(CHANNEL, "first", STATE, { until: FIXTURE_TIME + 1 }));
      expect(await claim("second", FIXTURE_TIME + 1)).toBe(STATE);
    });

    it("stores nothing for a claim that is lost or has ended", async () => {
      await claim("first");
      await claim("second", FIXTURE_TIME + MINUTE);
      const after = { dueAt: FIXTURE_TIME + MINUTE };
      expect(await expectOk(store().save(CHANNEL, "first", "lost", after))).toBe(false);
      expect(await expectOk(store().save(CHANNEL, "second", STATE, after))).toBe(true);
      expect(await expectOk(store().save(CHANNEL, "second", "ended", after))).toBe(false);
      expect(await expectOk(store().save("unknown", "second", "none", after))).toBe(false);
      expect(await claim("third", FIXTURE_TIME + MINUTE)).toBe(STATE);
    });

    it("stores the state of one of several concurrent calls with the same claim", async () => {
      await claim("first");
      const saved = await race(CONCURRENT_CALLERS, (caller) =>
        store().save(CHANNEL, "first", String(caller), { dueAt: FIXTURE_TIME }),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect(await claim("second")).toBe(String(saved.indexOf(true)));
    });
  });
}
