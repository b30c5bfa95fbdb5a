import type { Session, SessionStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aKeyedHash,
  aSession,
  FIXTURE_TIME,
  DAY,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { drained } from "../../../support/stores/drained.js";

const CAP = 5;

/** Tests `SessionStore`: removing expired sessions, and the data of idle customers. */
export function sessionRemoval(store: () => SessionStore): void {
  const open = (session: Session) => expectOk(store().open(session, CAP));
  const isLive = (session: Session) => expectOk(store().use(session, FIXTURE_TIME));
  const removeExpired = (before: number, limit = 100) => expectOk(store().removeExpired(before, limit));
  const expired = (age = 1, customerId = unique("customer-")) =>
    aSession({ customerId, gmtCreate: FIXTURE_TIME - DAY, expiresAt: FIXTURE_TIME - age });
  const countLive = async (sessions: readonly Session[]) => {
    const answers = await Promise.all(sessions.map(isLive));
    return answers.filter(Boolean).length;
  };

  describe("removeExpired", () => {
    it("removes the sessions of every app that expired before the time, and returns how many", async () => {
      const elsewhere = aSession({
        appId: "app_2",
        gmtCreate: FIXTURE_TIME - DAY,
        expiresAt: FIXTURE_TIME - 1,
      });
      for (const session of [expired(2), elsewhere, expired(0)]) await open(session);
      expect(await removeExpired(FIXTURE_TIME)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME + 1)).toBe(1);
    });

    it("removes at most the limit", async () => {
      for (const age of [30, 10, 20]) await open(expired(age));
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(2);
      expect(await removeExpired(FIXTURE_TIME, 0)).toBe(0);
      expect(await removeExpired(FIXTURE_TIME, 2)).toBe(1);
    });

    it("keeps the customer's live sessions", async () => {
      const lasting = aSession({ customerId: "customer-9", gmtCreate: FIXTURE_TIME - DAY });
      await open(lasting);
      await open(expired(1, "customer-9"));
      expect(await removeExpired(FIXTURE_TIME)).toBe(1);
      expect(await isLive(lasting)).toBe(true);
      expect(await expectOk(store().revokeAll("app_1", "customer-9"))).toBe(1);
    });

    it(`counts each session once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const customers = Array.from({ length: CONCURRENT_CALLERS / 2 }, () => unique("customer-"));
      await race(2 * CONCURRENT_CALLERS, (caller) =>
        store().open(expired(1 + (caller % 7), customers[caller % customers.length]), CAP),
      );
      expect(await drained((limit) => store().removeExpired(FIXTURE_TIME, limit))).toBe(
        2 * CONCURRENT_CALLERS,
      );
    });

    it(`keeps exactly the maximum live of ${CONCURRENT_CALLERS} sessions that are opened during a removal`, async () => {
      for (let made = 0; made < CAP; made += 1) await open(expired(1, "customer-1"));
      const fresh = Array.from({ length: CONCURRENT_CALLERS }, () => aSession());
      const counts = await race(2 * CONCURRENT_CALLERS, (caller) => {
        const session = fresh[caller];
        if (session === undefined) return store().removeExpired(FIXTURE_TIME, 2);
        return store()
          .open(session, CAP)
          .map(() => 0);
      });
      const removed = counts.reduce((sum, count) => sum + count, 0);
      expect(removed).toBeLessThanOrEqual(CAP);
      expect(await countLive(fresh)).toBe(CAP);
      expect(await removeExpired(FIXTURE_TIME)).toBe(0);
    });
  });

  describe("forgetIdle", () => {
    const forgetIdle = (before: number, limit = 100) => expectOk(store().forgetIdle(before, limit));

    it("counts each customer once and at most the limit, and finally returns 0", async () => {
      for (let made = 0; made < 3; made += 1)
        await open(aSession({ customerId: unique("customer-"), gmtCreate: FIXTURE_TIME - DAY }));
      const counts = [
        await forgetIdle(FIXTURE_TIME, 2),
        await forgetIdle(FIXTURE_TIME, 2),
        await forgetIdle(FIXTURE_TIME, 2),
      ];
      // In a store without removable data, every call returns 0, as in the second row.
      expect([
        [2, 1, 0],
        [0, 0, 0],
      ]).toContainEqual(counts);
    });

    it("keeps the customer's id and live sessions", async () => {
      const hash = aKeyedHash();
      await expectOk(store().identify("app_1", [hash], "customer-1", FIXTURE_TIME - DAY));
      const sessions = Array.from({ length: CAP }, (_, made) =>
        aSession({ gmtCreate: FIXTURE_TIME - DAY + made }),
      );
      for (const session of sessions) await open(session);
      await forgetIdle(FIXTURE_TIME);
      expect(await countLive(sessions)).toBe(CAP);
      expect(await expectOk(store().identify("app_1", [hash], "customer-2", FIXTURE_TIME))).toBe(
        "customer-1",
      );
      const evicted = { ...sessions[0], usedAt: FIXTURE_TIME };
      expect(await expectOk(store().open(aSession(), CAP))).toEqual([evicted]);
    });

    it("does not prevent that all sessions of an idle customer are revoked", async () => {
      const lasting = aSession({ gmtCreate: FIXTURE_TIME - DAY });
      await open(lasting);
      await forgetIdle(FIXTURE_TIME);
      expect(await expectOk(store().revokeAll(lasting.appId, lasting.customerId))).toBe(1);
      expect(await isLive(lasting)).toBe(false);
    });

    it(`never allows more than the maximum while ${CONCURRENT_CALLERS} sessions are opened for an idle customer`, async () => {
      await open(aSession({ gmtCreate: FIXTURE_TIME - 3 * DAY, expiresAt: FIXTURE_TIME - 2 * DAY }));
      // The clock of the logins is behind, so the customer counts as idle all the time.
      const fresh = Array.from({ length: CONCURRENT_CALLERS }, () =>
        aSession({ gmtCreate: FIXTURE_TIME - DAY }),
      );
      const ended = await race(2 * CONCURRENT_CALLERS, (caller) => {
        const session = fresh[caller % 2 === 0 ? caller / 2 : CONCURRENT_CALLERS];
        if (session !== undefined)
          return store()
            .open(session, CAP)
            .map((gone = []) => gone.length);
        return store()
          .forgetIdle(FIXTURE_TIME, 5)
          .map(() => 0);
      });
      expect(await countLive(fresh)).toBe(CAP);
      expect(ended.reduce((sum, count) => sum + count, 0)).toBe(CONCURRENT_CALLERS - CAP);
    });
  });
}
