import type { Stores } from "@tillkit/core";
import type { PhoneMove, Session } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aKeyedHash, aSession, CONCURRENT_CALLERS, FIXTURE_TIME, unique } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

type LoginStores = Pick<Stores, "customerData" | "sessions">;

const AT = FIXTURE_TIME + 1_000;

/** Tests `SessionStore`: which customer a phone number belongs to. */
export function numberMoves(stores: () => LoginStores): void {
  /** Stores a customer with a phone number and two sessions. */
  const aCustomer = async (appId = "app_1") => {
    const { sessions } = stores();
    const [customerId, phoneHash] = [unique("customer-"), aKeyedHash()];
    await expectOk(sessions.identify(appId, [phoneHash], customerId, FIXTURE_TIME));
    const opened = [aSession({ appId, customerId }), aSession({ appId, customerId })];
    for (const session of opened) await expectOk(sessions.open(session, 5));
    return { appId, customerId, phoneHash, opened };
  };
  const move = (moves: readonly PhoneMove[], appId = "app_1") =>
    expectOk(stores().sessions.movePhones(appId, moves, AT));
  const ownerOf = async (phoneHash: string, appId = "app_1") =>
    (await expectOk(stores().sessions.findPhones(appId, [phoneHash])))[0]?.customerId;
  const live = async (sessions: readonly Session[]) => {
    const answers = await Promise.all(sessions.map((one) => expectOk(stores().sessions.use(one, AT))));
    return answers.filter(Boolean).length;
  };

  describe("movePhones", () => {
    it("takes a number from its customer, and ends the customer's sessions", async () => {
      const [customer, other, elsewhere] = [await aCustomer(), await aCustomer(), await aCustomer("app_2")];
      const { phoneHash, customerId: from } = customer;
      expect(await move([{ phoneHash, from }])).toBe(2);
      expect(await ownerOf(phoneHash)).toBeUndefined();
      expect(await live(customer.opened)).toBe(0);
      expect([await live(other.opened), await live(elsewhere.opened)]).toEqual([2, 2]);
      const { sessions } = stores();
      expect(await expectOk(sessions.identify("app_1", [phoneHash], "next", AT))).toBe("next");
      expect(await expectOk(sessions.open(aSession({ customerId: from, gmtCreate: AT }), 5))).toEqual([]);
    });

    it("gives a customer a new number in place of the old one, in one step", async () => {
      const { phoneHash, customerId, opened } = await aCustomer();
      const next = aKeyedHash();
      const moves = [
        { phoneHash, from: customerId },
        { phoneHash: next, to: customerId },
      ];
      expect(await move(moves)).toBe(2);
      expect([await ownerOf(phoneHash), await ownerOf(next)]).toEqual([undefined, customerId]);
      expect(await live(opened)).toBe(0);
      const [phone] = await expectOk(stores().sessions.findPhones("app_1", [next]));
      expect(phone).toEqual({ appId: "app_1", phoneHash: next, customerId, gmtCreate: AT });
    });

    it("gives every number of a customer to another customer, whose sessions stay", async () => {
      const [from, into] = [await aCustomer(), await aCustomer()];
      const second = aKeyedHash();
      await expectOk(stores().sessions.identify("app_1", [second, from.phoneHash], "unused", AT));
      const hashes = [from.phoneHash, second];
      const moves = hashes.map((phoneHash) => ({ phoneHash, from: from.customerId, to: into.customerId }));
      expect(await move(moves)).toBe(2);
      for (const hash of hashes) expect(await ownerOf(hash)).toBe(into.customerId);
      expect([await live(from.opened), await live(into.opened)]).toEqual([0, 2]);
    });

    it("changes nothing if one number does not belong to the expected customer", async () => {
      const [one, two] = [await aCustomer(), await aCustomer()];
      const fine = { phoneHash: one.phoneHash, from: one.customerId };
      const wrong = [
        { phoneHash: two.phoneHash, from: one.customerId },
        { phoneHash: two.phoneHash, from: one.customerId, to: "customer-x" },
        { phoneHash: two.phoneHash, to: one.customerId },
        { phoneHash: aKeyedHash(), from: one.customerId },
      ];
      for (const second of wrong) expect(await move([fine, second])).toBeUndefined();
      expect(await move([fine], "app_2")).toBeUndefined();
      const owners = [await ownerOf(one.phoneHash), await ownerOf(two.phoneHash)];
      expect(owners).toEqual([one.customerId, two.customerId]);
      expect([await live(one.opened), await live(two.opened)]).toEqual([2, 2]);
    });

    it("gives no number to an erased customer", async () => {
      const [from, erased] = [await aCustomer(), await aCustomer()];
      const { appId, customerId } = erased;
      await expectOk(
        stores().customerData.eraseLogin({ appId, customerIds: [customerId], phoneHashes: [] }, AT),
      );
      const { phoneHash } = from;
      expect(await move([{ phoneHash, from: from.customerId, to: customerId }])).toBeUndefined();
      expect(await move([{ phoneHash: aKeyedHash(), to: customerId }])).toBeUndefined();
      expect(await ownerOf(phoneHash)).toBe(from.customerId);
      expect(await live(from.opened)).toBe(2);
    });

    it(`changes a number once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { phoneHash, customerId: from } = await aCustomer();
      const moved = await race(CONCURRENT_CALLERS, (caller) => {
        const one = caller % 2 === 0 ? { phoneHash, from } : { phoneHash, from, to: `customer-${caller}` };
        return stores().sessions.movePhones("app_1", [one], AT);
      });
      expect(moved.filter((sessions) => sessions !== undefined)).toEqual([2]);
      const winner = moved.findIndex((sessions) => sessions !== undefined);
      expect(await ownerOf(phoneHash)).toBe(winner % 2 === 0 ? undefined : `customer-${winner}`);
    });

    it(`swaps the numbers of two customers in ${CONCURRENT_CALLERS} concurrent calls without a deadlock`, async () => {
      const [one, two] = [await aCustomer(), await aCustomer()];
      const swapped = await race(CONCURRENT_CALLERS, (caller) => {
        const [first, second] = caller % 2 === 0 ? [one, two] : [two, one];
        const moves = [
          { phoneHash: first.phoneHash, from: first.customerId, to: second.customerId },
          { phoneHash: second.phoneHash, from: second.customerId, to: first.customerId },
        ];
        return stores().sessions.movePhones("app_1", moves, AT);
      });
      expect(swapped.filter((sessions) => sessions !== undefined)).toEqual([4]);
      const owners = [await ownerOf(one.phoneHash), await ownerOf(two.phoneHash)];
      expect(owners).toEqual([two.customerId, one.customerId]);
    });
  });

  describe("confirmLogin", () => {
    const confirm = (hashes: readonly [string, ...string[]], customerId: string, appId = "app_1") =>
      expectOk(stores().sessions.confirmLogin(appId, hashes, customerId, AT));

    it("stores the time of the login for the customer of the number, and of no other", async () => {
      const [{ customerId, phoneHash }, other] = [await aCustomer(), await aCustomer()];
      const { sessions } = stores();
      const older = aKeyedHash();
      await expectOk(sessions.identify("app_1", [phoneHash, older], "unused", FIXTURE_TIME));
      expect(await confirm([phoneHash, older], customerId)).toBe(true);
      const phones = await expectOk(sessions.findPhones("app_1", [phoneHash, older]));
      expect(phones.map(({ usedAt }) => usedAt)).toEqual([AT, AT]);
      expect(await confirm([phoneHash], other.customerId)).toBe(false);
      expect(await confirm([phoneHash], customerId, "app_2")).toBe(false);
      expect(await confirm([aKeyedHash()], customerId)).toBe(false);
      const [untouched] = await expectOk(sessions.findPhones("app_1", [other.phoneHash]));
      expect(untouched).not.toHaveProperty("usedAt");
    });

    it(`leaves no confirmed session of a customer who lost the number in ${CONCURRENT_CALLERS} concurrent logins`, async () => {
      const { customerId, phoneHash } = await aCustomer();
      const { sessions } = stores();
      const confirmed: Session[] = [];
      await race(CONCURRENT_CALLERS, (caller) => {
        if (caller === CONCURRENT_CALLERS / 2)
          return sessions.movePhones("app_1", [{ phoneHash, from: customerId }], AT).map(() => false);
        return sessions.identify("app_1", [phoneHash], `candidate-${caller}`, AT).andThen((owner) => {
          const session = aSession({ customerId: owner, gmtCreate: AT + caller });
          return sessions
            .open(session, 2 * CONCURRENT_CALLERS)
            .andThen(() => sessions.confirmLogin("app_1", [phoneHash], owner, AT))
            .map((isOwner) => {
              if (isOwner) confirmed.push(session);
              return isOwner;
            });
        });
      });
      const owner = await ownerOf(phoneHash);
      expect(owner).not.toBe(customerId);
      const answers = await Promise.all(confirmed.map((one) => expectOk(sessions.use(one, AT))));
      const owners = confirmed.filter((_, nth) => answers[nth]).map((session) => session.customerId);
      expect(owners.filter((one) => one !== owner)).toEqual([]);
    });
  });
}
