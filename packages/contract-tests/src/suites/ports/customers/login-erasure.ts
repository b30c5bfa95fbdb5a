import type { Stores } from "@tillkit/core";
import type { LoginErasure, LoginSubject, Session } from "@tillkit/core/ports";
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
  const erase = (erasure: LoginErasure) => expectOk(stores().customerData.eraseLogin(erasure, AT));
  const byPhone = ({ appId, hashes }: Customer) => ({ appId, phoneHashes: [hashes[0]] });
  const byId = ({ appId, customerId }: Customer) => ({ appId, customerId, phoneHashes: [] });
  const bySubject = [
    ["phone number", byPhone],
    ["id", byId],
  ] as const;
  const ofId = ({ appId, customerId }: Customer) => ({ appId, customerIds: [customerId], phoneHashes: [] });
  const ofPhone = (customer: Customer) => ({ ...ofId(customer), phoneHashes: customer.hashes });
  const byErasure = [
    ["phone number", ofPhone],
    ["id", ofId],
  ] as const;
  const ownerOf = async ({ appId, hashes }: Customer) =>
    (await expectOk(stores().sessions.findPhones(appId, hashes)))[0]?.customerId;
  const isLive = (session: Session) => expectOk(stores().sessions.use(session, AT));
  /** Moves both hashes of the number from the customer `from` to the customer `to`. */
  const move = (from: Customer, to: Customer) => {
    const moves = from.hashes.map((phoneHash) => ({
      phoneHash,
      from: from.customerId,
      to: to.customerId,
    }));
    return stores().sessions.movePhones(from.appId, moves, AT);
  };
  /** Returns whether a session can be opened for the customer. */
  const mayLogIn = async ({ appId, customerId }: Customer) =>
    (await expectOk(stores().sessions.open(aSession({ appId, customerId, gmtCreate: AT }), 5))) !== undefined;
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
    it.each(byErasure)("removes everything about a customer by %s, once", async (_name, erasureOf) => {
      const customer = await logIn();
      const erased = await erase(erasureOf(customer));
      expect(erased).toMatchObject({ codes: 1, counters: 2, sessions: 2 });
      expect(erased.phoneHashes.toSorted()).toEqual(customer.hashes.toSorted());
      expect(erased.clearedHashes.toSorted()).toEqual(customer.hashes.toSorted());
      expect(await read({ ...byId(customer), phoneHashes: customer.hashes })).toEqual(NOTHING);
      const again = await erase(erasureOf(customer));
      expect(again).toMatchObject({ phoneHashes: [], codes: 0, counters: 0, sessions: 0 });
    });

    it("removes the codes and counters of a number without a customer", async () => {
      const phoneHash = aKeyedHash();
      const { codes, quotas } = stores();
      await expectOk(codes.add(aCode({ phoneHash }), { now: FIXTURE_TIME, perDay: 5 }));
      const unit = { day: DAY_OF_UNITS, limit: 5, now: FIXTURE_TIME, spacing: MINUTE };
      await expectOk(quotas.take({ scope: "sms", subject: phoneHash }, unit));
      expect(await erase({ appId: "app_1", customerIds: [], phoneHashes: [phoneHash] })).toEqual({
        phoneHashes: [],
        clearedHashes: [phoneHash],
        codes: 1,
        counters: 1,
        sessions: 0,
      });
      expect(await read({ appId: "app_1", phoneHashes: [phoneHash] })).toEqual(NOTHING);
    });

    it("keeps a number that has moved to another customer, with its codes and counters", async () => {
      const [customer, other] = [await logIn(), await logIn()];
      await expectOk(move(customer, other));
      const kept = await read(byId(other));
      expect(await erase(ofPhone(customer))).toEqual({
        phoneHashes: [],
        clearedHashes: [],
        codes: 0,
        counters: 0,
        sessions: 0,
      });
      expect(await read(byId(other))).toEqual(kept);
      expect([await mayLogIn(customer), await mayLogIn(other)]).toEqual([false, true]);
    });

    it("removes a number that the customer got in the meantime", async () => {
      const [customer, other] = [await logIn(), await logIn()];
      await expectOk(move(other, customer));
      const erased = await erase(ofPhone(customer));
      const hashes = [...customer.hashes, ...other.hashes];
      expect(erased.phoneHashes.toSorted()).toEqual(hashes.toSorted());
      expect(await read({ ...byId(customer), phoneHashes: hashes })).toEqual(NOTHING);
      expect([await mayLogIn(customer), await mayLogIn(other)]).toEqual([false, true]);
    });

    it("leaves other customers and other apps as they are", async () => {
      const [customer, other, otherApp] = [await logIn(), await logIn(), await logIn("app_2")];
      const kept = [await read(byId(other)), await read(byId(otherApp))];
      await erase(ofPhone(customer));
      await erase({ ...ofId(otherApp), appId: "app_1" });
      expect([await read(byId(other)), await read(byId(otherApp))]).toEqual(kept);
    });

    it("opens no session for the erased id, and creates a new customer for the phone number", async () => {
      const customer = await logIn();
      const { appId, customerId, hashes } = customer;
      await erase(ofId(customer));
      const { sessions } = stores();
      const late = aSession({ appId, customerId, gmtCreate: AT });
      expect(await expectOk(sessions.open(late, 5))).toBeUndefined();
      expect(await expectOk(sessions.use(late, AT))).toBe(false);
      expect(await expectOk(sessions.list(appId, customerId))).toEqual([]);
      expect(await expectOk(sessions.identify(appId, hashes, "new-customer", AT))).toBe("new-customer");
      expect(await expectOk(sessions.open({ ...late, customerId: "new-customer" }, 5))).toEqual([]);
      expect(await expectOk(sessions.open({ ...late, appId: "app_2" }, 5))).toEqual([]);
    });

    it("opens no session for the erased id years later, also if an old file gives it its number", async () => {
      const customer = await logIn();
      const { appId, customerId, hashes } = customer;
      await erase(ofPhone(customer));
      const { sessions } = stores();
      const later = AT + 10 * 366 * 86_400_000;
      await expectOk(sessions.forgetIdle(later, 100));
      expect(await expectOk(sessions.importCustomer(appId, hashes, customerId, AT))).toEqual({
        outcome: "stored",
        customerId,
      });
      const session = aSession({ appId, customerId, gmtCreate: later });
      expect(await expectOk(sessions.open(session, 5))).toBeUndefined();
    });

    it("opens sessions for an id that never logged in", async () => {
      await erase({ appId: "app_1", customerIds: ["customer-9"], phoneHashes: [aKeyedHash()] });
      expect(await expectOk(stores().sessions.open(aSession({ customerId: "customer-9" }), 5))).toEqual([]);
    });

    it("ends a login that has opened its session and is not confirmed yet", async () => {
      const customer = await logIn();
      const { appId, customerId, hashes } = customer;
      const { sessions } = stores();
      const session = aSession({ appId, customerId, gmtCreate: AT });
      expect(await expectOk(sessions.identify(appId, hashes, "unused", AT))).toBe(customerId);
      expect(await expectOk(sessions.open(session, 5))).toEqual([]);
      await erase(ofPhone(customer));
      expect(await expectOk(sessions.confirmLogin(appId, hashes, customerId, AT))).toBe(false);
      expect(await isLive(session)).toBe(false);
    });

    it("erases a customer who has a number and has not logged in yet", async () => {
      const hashes = [aKeyedHash(), aKeyedHash()] as const;
      const customer = { appId: "app_1", customerId: unique("customer-"), hashes };
      await expectOk(stores().sessions.identify("app_1", hashes, customer.customerId, AT));
      await erase(ofId(customer));
      expect([await ownerOf(customer), await mayLogIn(customer)]).toEqual([undefined, false]);
    });

    it(`gives a number to one of ${CONCURRENT_CALLERS} concurrent customers, or erases it`, async () => {
      const customer = await logIn();
      const others = await Promise.all(Array.from({ length: CONCURRENT_CALLERS - 2 }, () => logIn()));
      const moved = await race(CONCURRENT_CALLERS, (caller) => {
        const other = others[caller - 1];
        if (other !== undefined) return move(customer, other);
        const erasing = caller === 0 ? ofPhone(customer) : ofId(customer);
        return stores()
          .customerData.eraseLogin(erasing, AT)
          .map(() => undefined);
      });
      const winners = others.filter((_, nth) => moved[nth + 1] !== undefined);
      expect(winners.length).toBeLessThanOrEqual(1);
      expect(await ownerOf(customer)).toBe(winners[0]?.customerId);
      expect(await mayLogIn(customer)).toBe(false);
      for (const other of others) {
        const { phones } = await read(byId(other));
        expect(phones).toHaveLength(other === winners[0] ? 4 : 2);
        expect(await mayLogIn(other)).toBe(true);
      }
    });

    it(`leaves no number with an erased customer in ${CONCURRENT_CALLERS} concurrent moves to it`, async () => {
      const customer = await logIn();
      const others = await Promise.all(Array.from({ length: CONCURRENT_CALLERS - 1 }, () => logIn()));
      const moved = await race(CONCURRENT_CALLERS, (caller) => {
        const other = others[caller];
        if (other !== undefined) return move(other, customer);
        return stores()
          .customerData.eraseLogin(ofPhone(customer), AT)
          .map(() => undefined);
      });
      expect(await read({ ...byId(customer), phoneHashes: customer.hashes })).toEqual(NOTHING);
      const owners = await Promise.all(others.map(ownerOf));
      expect(owners).toEqual(
        others.map(({ customerId }, nth) => (moved[nth] === undefined ? customerId : undefined)),
      );
      for (const other of others) expect(await mayLogIn(other)).toBe(true);
    });

    it(`leaves no session of an erased customer in ${CONCURRENT_CALLERS} concurrent logins`, async () => {
      const customer = await logIn();
      const { appId, customerId, hashes } = customer;
      const { customerData, sessions } = stores();
      const opened: Session[] = [];
      await race(CONCURRENT_CALLERS, (caller) => {
        if (caller % 4 === 3) return customerData.eraseLogin(ofPhone(customer), AT).map(() => 0);
        return sessions
          .identify(appId, hashes, `candidate-${caller}`, AT)
          .andThen((owner) => {
            const session = aSession({ appId, customerId: owner, gmtCreate: AT + caller });
            opened.push(session);
            return sessions.open(session, CONCURRENT_CALLERS);
          })
          .map(() => 0);
      });
      const now = await ownerOf(customer);
      expect(now).not.toBe(customerId);
      const live = await Promise.all(opened.map(isLive));
      const owners = opened.filter((_, n) => live[n]).map((session) => session.customerId);
      expect(owners.filter((owner) => owner !== now)).toEqual([]);
      // A later erasure of the first customer ends no session of the next customer.
      await erase(ofPhone(customer));
      expect(await Promise.all(opened.map(isLive))).toEqual(live);
    });

    it(`removes everything once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const customer = await logIn();
      const erased = await race(CONCURRENT_CALLERS, (caller) =>
        stores().customerData.eraseLogin(caller % 2 === 0 ? ofPhone(customer) : ofId(customer), AT),
      );
      const sum = (of: "codes" | "counters" | "sessions") =>
        erased.reduce((total, one) => total + one[of], 0);
      expect([sum("codes"), sum("counters"), sum("sessions")]).toEqual([1, 2, 2]);
      expect(await read({ ...byId(customer), phoneHashes: customer.hashes })).toEqual(NOTHING);
    });
  });
}
