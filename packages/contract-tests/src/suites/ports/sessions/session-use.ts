import type { Session, SessionStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aSession, CONCURRENT_CALLERS, DAY, FIXTURE_TIME, unique } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `SessionStore`: names of devices, and the coarse time of the last use. */
export function sessionUse(store: () => SessionStore): void {
  const opened = async (changes: Partial<Session> = {}) => {
    const customerId = unique("customer-");
    const session = aSession({ customerId, expiresAt: FIXTURE_TIME + 3 * DAY, ...changes });
    await expectOk(store().open(session, 5));
    return session;
  };
  const stored = async ({ appId, customerId }: Session) =>
    (await expectOk(store().list(appId, customerId)))[0];

  describe("the use of a session", () => {
    it("keeps the name of the device", async () => {
      const named = await opened({ label: "Li's phone 📱" });
      expect(await stored(named)).toEqual(named);
      const newer = aSession({ ...named, tokenHash: "f".repeat(64), gmtCreate: FIXTURE_TIME + 1 });
      expect(await expectOk(store().open(newer, 1))).toEqual([named]);
      expect(await stored(await opened())).not.toHaveProperty("label");
    });

    it("is stored when the last stored use was a day ago, and not before", async () => {
      const session = await opened({ expiresAt: FIXTURE_TIME + 9 * DAY });
      const use = (age: number) => expectOk(store().use(session, FIXTURE_TIME + age));
      expect(await use(DAY - 1)).toBe(true);
      expect(await stored(session)).toEqual(session);
      expect(await use(DAY)).toBe(true);
      expect(await stored(session)).toEqual({ ...session, usedAt: FIXTURE_TIME + DAY });
      expect(await use(2 * DAY - 1)).toBe(true);
      expect(await stored(session)).toMatchObject({ usedAt: FIXTURE_TIME + DAY });
      expect(await use(2 * DAY)).toBe(true);
      expect(await stored(session)).toMatchObject({ usedAt: FIXTURE_TIME + 2 * DAY });
    });

    it("of one session does not change another session or an expired session", async () => {
      const [session, other] = [await opened(), await opened()];
      const extendTo = FIXTURE_TIME + 9 * DAY;
      expect(await expectOk(store().use(session, FIXTURE_TIME + DAY, extendTo))).toBe(true);
      expect(await stored(other)).toEqual(other);
      expect(await expectOk(store().use(other, other.expiresAt, extendTo))).toBe(false);
      expect(await stored(other)).toEqual(other);
    });

    it("extends the session, and never shortens it", async () => {
      const session = await opened();
      const extendTo = FIXTURE_TIME + 5 * DAY;
      await expectOk(store().use(session, FIXTURE_TIME + 1, extendTo));
      expect(await stored(session)).toEqual(session);
      await expectOk(store().use(session, FIXTURE_TIME + DAY, extendTo));
      expect(await stored(session)).toMatchObject({ expiresAt: extendTo });
      await expectOk(store().use(session, FIXTURE_TIME + 2 * DAY, FIXTURE_TIME + 3 * DAY));
      expect(await stored(session)).toMatchObject({ expiresAt: extendTo });
      expect(await expectOk(store().use(session, extendTo - 1))).toBe(true);
      expect(await expectOk(store().use(session, extendTo))).toBe(false);
    });

    it(`never revives a session that is revoked during ${CONCURRENT_CALLERS} concurrent uses`, async () => {
      const session = await opened();
      await race(CONCURRENT_CALLERS, (caller) =>
        caller === 1
          ? store().revoke(session)
          : store().use(session, FIXTURE_TIME + DAY + caller, FIXTURE_TIME + 9 * DAY),
      );
      expect(await stored(session)).toBeUndefined();
      expect(await expectOk(store().use(session, FIXTURE_TIME + DAY))).toBe(false);
    });
  });
}
