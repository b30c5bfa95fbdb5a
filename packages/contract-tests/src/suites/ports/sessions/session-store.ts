import type { Session, SessionStore } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aHash,
  aKeyedHash,
  aSession,
  FIXTURE_TIME,
  DAY,
  MINUTE,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { sessionRemoval } from "./session-removal.js";
import { customerExport } from "./customer-export.js";
import { pepperRotations } from "./pepper-rotations.js";
import { sessionUse } from "./session-use.js";

const CAP = 5;

/** Tests every requirement of `SessionStore`. `open` returns an empty store for each test. */
export function sessionStoreContract(adapter: string, open: () => Promise<Opened<SessionStore>>): void {
  describe(`SessionStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const isLive = (session: Session, now = FIXTURE_TIME + 1_000) => expectOk(store().use(session, now));
    const live = async (sessions: readonly Session[]): Promise<readonly Session[]> => {
      const answers = await Promise.all(sessions.map((session) => isLive(session)));
      return sessions.filter((_, index) => answers[index]);
    };
    const identify = (appId: string, hashes: readonly [string, ...string[]], candidate: string) =>
      expectOk(store().identify(appId, hashes, candidate, FIXTURE_TIME));

    describe("identify", () => {
      it("stores the candidate as the customer, and returns it afterwards", async () => {
        const hash = aKeyedHash();
        expect(await identify("app_1", [hash], "customer-a")).toBe("customer-a");
        expect(await identify("app_1", [hash], "customer-b")).toBe("customer-a");
      });

      it("distinguishes apps and phones", async () => {
        const hash = aKeyedHash();
        await identify("app_1", [hash], "customer-a");
        expect(await identify("app_2", [hash], "customer-b")).toBe("customer-b");
        expect(await identify("app_1", [aKeyedHash()], "customer-c")).toBe("customer-c");
      });

      it(`returns one id to ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const hashes = [aKeyedHash(), aKeyedHash()] as const;
        const ids = await race(CONCURRENT_CALLERS, (caller) =>
          store().identify("app_1", hashes, `candidate-${caller}`, FIXTURE_TIME),
        );
        expect(new Set(ids).size).toBe(1);
        expect(ids[0]).toMatch(/^candidate-\d+$/);
        expect(await identify("app_1", hashes, "late")).toBe(ids[0]);
      });

      it("finds a customer by an older hash, and afterwards by the first hash alone", async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        await identify("app_1", [older], "customer-a");
        expect(await identify("app_1", [current, older], "customer-b")).toBe("customer-a");
        expect(await identify("app_1", [current], "customer-c")).toBe("customer-a");
      });

      it("finds a new customer by each of their hashes alone", async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        expect(await identify("app_1", [current, older], "customer-a")).toBe("customer-a");
        expect(await identify("app_1", [older], "customer-b")).toBe("customer-a");
        expect(await identify("app_1", [current], "customer-c")).toBe("customer-a");
      });

      it("adds the older hashes to a customer who has the first hash", async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        await identify("app_1", [current], "customer-a");
        expect(await identify("app_1", [current, older], "customer-b")).toBe("customer-a");
        expect(await identify("app_1", [older], "customer-c")).toBe("customer-a");
      });

      it("returns the customer of the first hash if two hashes belong to different customers", async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        await identify("app_1", [older], "customer-a");
        await identify("app_1", [current], "customer-b");
        expect(await identify("app_1", [current, older], "customer-c")).toBe("customer-b");
        expect(await identify("app_1", [older], "customer-d")).toBe("customer-a");
      });

      it(`creates one customer in ${CONCURRENT_CALLERS} first logins while a pepper is being replaced`, async () => {
        // Some processes do not have the new pepper yet. The sort order of the hashes must not
        // matter.
        for (const [older, current] of [
          ["v1:0a", "v2:0b"],
          ["v1:0d", "v0:0c"],
        ] as const) {
          const ids = await race(CONCURRENT_CALLERS, (caller) =>
            store().identify(
              "app_1",
              caller % 2 === 0 ? [older] : [current, older],
              `candidate-${caller}`,
              FIXTURE_TIME,
            ),
          );
          expect(new Set(ids).size).toBe(1);
          expect(await identify("app_1", [current], "late")).toBe(ids[0]);
        }
      });

      it(`creates one customer in ${CONCURRENT_CALLERS} first logins while an old pepper is being removed`, async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        const ids = await race(CONCURRENT_CALLERS, (caller) =>
          store().identify(
            "app_1",
            caller % 2 === 0 ? [current] : [current, older],
            `candidate-${caller}`,
            FIXTURE_TIME,
          ),
        );
        expect(new Set(ids).size).toBe(1);
        expect(await identify("app_1", [older], "late")).toBe(ids[0]);
      });

      it(`finds one customer by an older hash in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const [older, current] = [aKeyedHash(), aKeyedHash()];
        await identify("app_1", [older], "customer-a");
        const ids = await race(CONCURRENT_CALLERS, (caller) =>
          store().identify("app_1", [current, older], `candidate-${caller}`, FIXTURE_TIME),
        );
        expect(new Set(ids)).toEqual(new Set(["customer-a"]));
      });
    });

    describe("open", () => {
      it("opens a session that is live", async () => {
        const session = aSession();
        expect(await expectOk(store().open(session, CAP))).toEqual([]);
        expect(await isLive(session)).toBe(true);
      });

      it("ends the oldest sessions above the maximum and returns them, oldest first", async () => {
        // The sessions are opened in an order that differs from their times.
        const sessions = [30, 10, 20].map((age) => aSession({ gmtCreate: FIXTURE_TIME + age }));
        for (const session of sessions) await expectOk(store().open(session, 3));
        const newest = aSession({ gmtCreate: FIXTURE_TIME + 40 });
        expect(await expectOk(store().open(newest, 2))).toEqual([sessions[1], sessions[2]]);
        expect(await live([...sessions, newest])).toEqual([sessions[0], newest]);
      });

      it("keeps the session that it opens if all have the same time", async () => {
        const sessions = Array.from({ length: 3 * CAP }, () => aSession());
        for (const session of sessions) {
          await expectOk(store().open(session, CAP));
          expect(await isLive(session)).toBe(true);
        }
        expect(await live(sessions)).toHaveLength(CAP);
      });

      it("neither counts nor returns expired sessions", async () => {
        const expired = aSession({ gmtCreate: FIXTURE_TIME, expiresAt: FIXTURE_TIME + 10 });
        const lasting = aSession({ gmtCreate: FIXTURE_TIME + 1 });
        await expectOk(store().open(expired, CAP));
        await expectOk(store().open(lasting, CAP));
        const next = aSession({ gmtCreate: FIXTURE_TIME + 20 });
        expect(await expectOk(store().open(next, 2))).toEqual([]);
        expect(await live([lasting, next])).toEqual([lasting, next]);
      });

      it("does not change other customers and apps", async () => {
        const other = aSession({ customerId: "customer-2" });
        const otherApp = aSession({ appId: "app_2" });
        await expectOk(store().open(other, 1));
        await expectOk(store().open(otherApp, 1));
        expect(await expectOk(store().open(aSession({ gmtCreate: FIXTURE_TIME + 1 }), 1))).toEqual([]);
        expect(await live([other, otherApp])).toEqual([other, otherApp]);
      });

      it(`keeps exactly the maximum live after ${CONCURRENT_CALLERS} concurrent calls, and ends each other session once`, async () => {
        const sessions = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
          aSession({ gmtCreate: FIXTURE_TIME + caller }),
        );
        const ended = await race(CONCURRENT_CALLERS, (caller) =>
          store().open(sessions[caller] ?? aSession(), CAP),
        );
        for (const group of ended)
          expect(group).toEqual(group?.toSorted((a, b) => a.gmtCreate - b.gmtCreate));
        const endedHashes = ended.flatMap((group = []) => group.map(({ tokenHash }) => tokenHash));
        expect(new Set(endedHashes).size).toBe(endedHashes.length);
        const left = await live(sessions);
        expect(left).toHaveLength(CAP);
        const gone = sessions.filter((session) => !left.includes(session)).map(({ tokenHash }) => tokenHash);
        expect(new Set(endedHashes)).toEqual(new Set(gone));
      });

      it(`never exceeds the maximum in ${CONCURRENT_CALLERS} calls for a customer who has reached it`, async () => {
        const before = Array.from({ length: CAP }, (_, index) =>
          aSession({ gmtCreate: FIXTURE_TIME - CAP + index }),
        );
        for (const session of before) await expectOk(store().open(session, CAP));
        const fresh = Array.from({ length: CONCURRENT_CALLERS }, () => aSession());
        const ended = await race(CONCURRENT_CALLERS, (caller) =>
          store().open(fresh[caller] ?? aSession(), CAP),
        );
        expect(ended.flat()).toHaveLength(CONCURRENT_CALLERS);
        expect(ended.flat()).toEqual(expect.arrayContaining(before));
        expect(await live([...before, ...fresh])).toHaveLength(CAP);
      });
    });

    describe("use", () => {
      it("returns false for an unknown token, another app's and another customer's", async () => {
        const session = aSession();
        await expectOk(store().open(session, CAP));
        expect(await isLive({ ...session, tokenHash: aHash() })).toBe(false);
        expect(await isLive({ ...session, appId: "app_2" })).toBe(false);
        expect(await isLive({ ...session, customerId: "customer-2" })).toBe(false);
      });

      it("returns true up to the last millisecond and false after it", async () => {
        const session = aSession({ expiresAt: FIXTURE_TIME + DAY });
        await expectOk(store().open(session, CAP));
        expect(await isLive(session, FIXTURE_TIME + DAY - 1)).toBe(true);
        expect(await isLive(session, FIXTURE_TIME + DAY + 1)).toBe(false);
      });

      it("answers each of several concurrent look-ups by its own session and its own time", async () => {
        const ends = FIXTURE_TIME + MINUTE;
        const [short, long] = [
          aSession({ customerId: unique("customer-"), expiresAt: ends }),
          aSession({ customerId: unique("customer-"), appId: "app_2", expiresAt: ends + MINUTE }),
        ];
        for (const session of [short, long]) await expectOk(store().open(session, CAP));
        const cases = [
          [short, ends - 1, true],
          [short, ends, false],
          [long, ends, true],
          [long, ends + MINUTE, false],
          [{ ...short, appId: long.appId }, ends - 1, false],
          [{ ...short, tokenHash: long.tokenHash }, ends - 1, false],
          [{ ...long, customerId: short.customerId }, ends - 1, false],
        ] as const;
        const asked = Array.from({ length: CONCURRENT_CALLERS }, () => cases).flat();
        const answers = await Promise.all(asked.map(([session, now]) => isLive(session, now)));
        expect(answers).toEqual(asked.map(([, , expected]) => expected));
      });
    });

    describe("list", () => {
      it("returns the sessions of one customer of one app, newest first, with expired ones", async () => {
        const mine = [10, 30, 20].map((age) =>
          aSession({ gmtCreate: FIXTURE_TIME + age, expiresAt: FIXTURE_TIME + 100 + age }),
        );
        const others = [aSession({ customerId: "customer-2" }), aSession({ appId: "app_2" })];
        for (const session of [...mine, ...others]) await expectOk(store().open(session, CAP));
        expect(await expectOk(store().list("app_1", "customer-1"))).toEqual([mine[1], mine[2], mine[0]]);
        expect(await expectOk(store().list("app_1", unique("customer-")))).toEqual([]);
      });
    });

    describe("countLive", () => {
      it("counts the sessions of one customer of one app that have not expired", async () => {
        const mine = [aSession({ expiresAt: FIXTURE_TIME + 10 }), aSession({ expiresAt: FIXTURE_TIME + 20 })];
        const others = [aSession({ customerId: "customer-2" }), aSession({ appId: "app_2" })];
        for (const session of [...mine, ...others]) await expectOk(store().open(session, CAP));
        const count = (now: number) => expectOk(store().countLive("app_1", "customer-1", now));
        expect([await count(FIXTURE_TIME + 9), await count(FIXTURE_TIME + 10)]).toEqual([2, 1]);
        expect(await count(FIXTURE_TIME + 20)).toBe(0);
        expect(await expectOk(store().countLive("app_1", unique("customer-"), FIXTURE_TIME))).toBe(0);
      });
    });

    describe("revoke and revokeAll", () => {
      it("end one session, once", async () => {
        const [one, two] = [aSession(), aSession()];
        await expectOk(store().open(one, CAP));
        await expectOk(store().open(two, CAP));
        expect(await expectOk(store().revoke(one))).toBe(true);
        expect(await expectOk(store().revoke(one))).toBe(false);
        expect(await live([one, two])).toEqual([two]);
      });

      it("end no session of another app or customer", async () => {
        const session = aSession();
        await expectOk(store().open(session, CAP));
        expect(await expectOk(store().revoke({ ...session, appId: "app_2" }))).toBe(false);
        expect(await expectOk(store().revoke({ ...session, customerId: unique("customer-") }))).toBe(false);
        expect(await expectOk(store().revokeAll("app_2", session.customerId))).toBe(0);
        expect(await isLive(session)).toBe(true);
      });

      it("end all of a customer's sessions and return how many", async () => {
        const mine = [aSession(), aSession(), aSession()];
        const other = aSession({ customerId: "customer-2" });
        for (const session of [...mine, other]) await expectOk(store().open(session, CAP));
        expect(await expectOk(store().revokeAll("app_1", "customer-1"))).toBe(3);
        expect(await expectOk(store().revokeAll("app_1", "customer-1"))).toBe(0);
        expect(await live([...mine, other])).toEqual([other]);
      });

      it("do not count a revoked session towards the maximum", async () => {
        const [one, two, three] = [
          aSession(),
          aSession({ gmtCreate: FIXTURE_TIME + 1 }),
          aSession({ gmtCreate: FIXTURE_TIME + 2 }),
        ];
        await expectOk(store().open(one, 2));
        await expectOk(store().open(two, 2));
        await expectOk(store().revoke(two));
        expect(await expectOk(store().open(three, 2))).toEqual([]);
        expect(await live([one, three])).toEqual([one, three]);
      });

      it(`end and count each session that is opened during ${CONCURRENT_CALLERS} concurrent calls once, or keep it`, async () => {
        const opened: Session[] = [];
        const counts = await race(CONCURRENT_CALLERS, async (caller) => {
          if (caller % 2 === 1) return store().revokeAll("app_1", "customer-1");
          const session = aSession({ gmtCreate: FIXTURE_TIME + caller });
          opened.push(session);
          return (await store().open(session, CONCURRENT_CALLERS)).map((ended = []) => ended.length);
        });
        const ended = counts.reduce((sum, count) => sum + count, 0);
        const left = await live(opened);
        expect(ended + left.length).toBe(opened.length);
        expect(await expectOk(store().revokeAll("app_1", "customer-1"))).toBe(left.length);
        expect(await live(opened)).toEqual([]);
      });

      it(`return true for one of ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const session = aSession();
        await expectOk(store().open(session, CAP));
        const answers = await race(CONCURRENT_CALLERS, () => store().revoke(session));
        expect(answers.filter(Boolean)).toHaveLength(1);
      });
    });

    sessionUse(store);
    pepperRotations(store);
    customerExport(store);
    sessionRemoval(store);
  });
}
