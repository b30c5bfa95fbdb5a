import type { LoginSubject, Session, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aCode,
  aKeyedHash,
  aSession,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
  MINUTE,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

type LoginStores = Pick<Stores, "codes" | "customerData" | "quotas" | "sessions">;

/** A customer of app_1 or app_2 with a phone number under two peppers. */
interface Customer {
  readonly appId: string;
  readonly customerId: string;
  readonly hashes: readonly [current: string, older: string];
}

const AT = FIXTURE_TIME + MINUTE;
const DAY_OF_UNITS = "2026-01-15";

/** Tests `CustomerDataStore`: the login data of a customer. */
export function loginErasure(stores: () => LoginStores): void {
  /** Stores a customer with two hashes, a code, counters and two sessions. */
  const logIn = async (appId = "app_1"): Promise<Customer> => {
    const { codes, quotas, sessions } = stores();
    const [customerId, current, older] = [unique("customer-"), aKeyedHash(), aKeyedHash()];
    await expectOk(sessions.identify(appId, [current, older], customerId, FIXTURE_TIME));
    await expectOk(codes.add(aCode({ appId, phoneHash: current }), { now: FIXTURE_TIME, perDay: 5 }));
    const unit = { day: DAY_OF_UNITS, limit: 5, now: FIXTURE_TIME };
    await expectOk(quotas.take({ scope: "sms", subject: current }, { ...unit, spacing: MINUTE }));
    await expectOk(quotas.take({ scope: "sms", subject: older }, { ...unit, spacing: 0 }));
    for (const age of [0, 1])
      await expectOk(sessions.open(aSession({ appId, customerId, gmtCreate: FIXTURE_TIME + age }), 5));
    return { appId, customerId, hashes: [current, older] };
  };
  const read = (subject: LoginSubject) => expectOk(stores().customerData.readLogin(subject));
  const erase = (subject: LoginSubject) => expectOk(stores().customerData.eraseLogin(subject, AT));
  const byPhone = ({ appId, hashes }: Customer) => ({ appId, phoneHashes: [hashes[0]] });
  const byId = ({ appId, customerId }: Customer) => ({ appId, customerId, phoneHashes: [] });
  const bySubject = [
    ["phone number", byPhone],
    ["id", byId],
  ] as const;
  const NOTHING = { phones: [], codes: [], counters: [], spacings: [], sessions: [] };

  describe("readLogin", () => {
    it.each(bySubject)("returns everything about a customer by %s", async (_name, subjectOf) => {
      const customer = await logIn();
      await logIn();
      const { customerId, hashes } = customer;
      const data = await read(subjectOf(customer));
      expect(data.phones.map(({ phoneHash }) => phoneHash).toSorted()).toEqual(hashes.toSorted());
      expect(data.phones[0]).toMatchObject({ appId: "app_1", customerId, gmtCreate: FIXTURE_TIME });
      const [phoneHash, older] = hashes;
      const endsAt = FIXTURE_TIME + 5 * MINUTE;
      expect(data.codes).toEqual([{ phoneHash, count: 1, tries: 0, dayTries: 0, endsAt }]);
      const counters = [
        { scope: "sms", subject: older, day: DAY_OF_UNITS, used: 1 },
        { scope: "sms", subject: phoneHash, day: DAY_OF_UNITS, used: 1 },
      ];
      expect(data.counters).toHaveLength(2);
      expect(data.counters).toEqual(expect.arrayContaining(counters));
      expect(data.spacings).toEqual([{ scope: "sms", subject: phoneHash, grantedAt: FIXTURE_TIME }]);
      expect(data.sessions.map(({ gmtCreate }) => gmtCreate)).toEqual([FIXTURE_TIME + 1, FIXTURE_TIME]);
    });

    it("returns nothing about an unknown customer, and about another app's", async () => {
      const customer = await logIn();
      expect(await read({ appId: "app_1", customerId: unique("c-"), phoneHashes: [aKeyedHash()] })).toEqual(
        NOTHING,
      );
      expect(await read({ ...byId(customer), appId: "app_2" })).toEqual(NOTHING);
    });
  });

  describe("eraseLogin", () => {
    it.each(bySubject)("removes everything about a customer by %s, once", async (_name, subjectOf) => {
      const customer = await logIn();
      const erased = await erase(subjectOf(customer));
      expect(erased).toMatchObject({
        customerIds: [customer.customerId],
        codes: 1,
        counters: 2,
        sessions: 2,
      });
      expect(erased.phoneHashes.toSorted()).toEqual(customer.hashes.toSorted());
      expect(await read({ ...byId(customer), phoneHashes: customer.hashes })).toEqual(NOTHING);
      const again = await erase(subjectOf(customer));
      expect(again).toMatchObject({ phoneHashes: [], codes: 0, counters: 0, sessions: 0 });
    });

    it("leaves other customers and other apps as they are", async () => {
      const [customer, other, otherApp] = [await logIn(), await logIn(), await logIn("app_2")];
      const kept = [await read(byId(other)), await read(byId(otherApp))];
      await erase(byPhone(customer));
      await erase({ ...byId(otherApp), appId: "app_1" });
      expect([await read(byId(other)), await read(byId(otherApp))]).toEqual(kept);
    });

    it("opens no session for the erased id, and a new customer for the phone number", async () => {
      const { appId, customerId, hashes } = await logIn();
      await erase({ appId, customerId, phoneHashes: [] });
      const { sessions } = stores();
      const late = aSession({ appId, customerId, gmtCreate: AT });
      expect(await expectOk(sessions.open(late, 5))).toBeUndefined();
      expect(await expectOk(sessions.use(late, AT))).toBe(false);
      expect(await expectOk(sessions.list(appId, customerId))).toEqual([]);
      expect(await expectOk(sessions.identify(appId, hashes, "new-customer", AT))).toBe("new-customer");
      expect(await expectOk(sessions.open({ ...late, customerId: "new-customer" }, 5))).toEqual([]);
      expect(await expectOk(sessions.open({ ...late, appId: "app_2" }, 5))).toEqual([]);
    });

    it("opens sessions for an id that never logged in", async () => {
      await erase({ appId: "app_1", customerId: "customer-9", phoneHashes: [aKeyedHash()] });
      expect(await expectOk(stores().sessions.open(aSession({ customerId: "customer-9" }), 5))).toEqual([]);
    });

    it(`leaves no session of an erased customer in ${CONCURRENT_CALLERS} concurrent logins`, async () => {
      const { appId, customerId, hashes } = await logIn();
      const { customerData, sessions } = stores();
      const opened: Session[] = [];
      await race(CONCURRENT_CALLERS, (caller) => {
        if (caller % 4 === 3) return customerData.eraseLogin({ appId, phoneHashes: hashes }, AT).map(() => 0);
        return sessions
          .identify(appId, hashes, `candidate-${caller}`, AT)
          .andThen((owner) => {
            const session = aSession({ appId, customerId: owner, gmtCreate: AT + caller });
            opened.push(session);
            return sessions.open(session, CONCURRENT_CALLERS);
          })
          .map(() => 0);
      });
      const now = (await expectOk(sessions.findPhones(appId, hashes)))[0]?.customerId;
      const live = await race(opened.length, (n) => sessions.use(opened[n] ?? aSession(), AT));
      const owners = new Set(opened.filter((_, n) => live[n]).map((session) => session.customerId));
      expect([...owners].filter((owner) => owner !== now)).toEqual([]);
      expect(now).not.toBe(customerId);
      await erase({ appId, phoneHashes: hashes });
      const left = await race(opened.length, (n) => sessions.use(opened[n] ?? aSession(), AT));
      expect(left.filter(Boolean)).toEqual([]);
    });

    it(`removes everything once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const customer = await logIn();
      const erased = await race(CONCURRENT_CALLERS, (caller) =>
        stores().customerData.eraseLogin(caller % 2 === 0 ? byPhone(customer) : byId(customer), AT),
      );
      const sum = (of: "codes" | "counters" | "sessions") =>
        erased.reduce((total, one) => total + one[of], 0);
      expect([sum("codes"), sum("counters"), sum("sessions")]).toEqual([1, 2, 2]);
      expect(await read({ ...byId(customer), phoneHashes: customer.hashes })).toEqual(NOTHING);
    });
  });
}
