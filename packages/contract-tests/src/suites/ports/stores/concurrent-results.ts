import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aCode,
  aKeyedHash,
  anEntry,
  anId,
  anOrder,
  aQuotaKey,
  aQuotaTake,
  aSession,
  FIXTURE_TIME,
  DAY,
  unique,
  tryLimits,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

/** Number of items that concurrent calls are about. Every third item does not exist. */
const CALLS = 12;

const isThere = (nth: number): boolean => nth % 3 !== 0;

/**
 * Tests that each of many concurrent calls gets its own result.
 *
 * The adapter may serve several calls with one statement. `open` returns empty stores for each
 * test.
 */
export function concurrentResultsContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`Concurrent results contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const eachOf = <T>(make: (nth: number) => T): readonly T[] =>
      Array.from({ length: CALLS }, (_, nth) => make(nth));
    const at = <T>(list: readonly T[], nth: number): T => {
      const found = list[nth];
      if (found === undefined) throw new Error(`There is no call ${nth}.`);
      return found;
    };

    it("attempts of different codes return the result of their own code", async () => {
      const codes = eachOf(() => aCode());
      for (const [nth, code] of codes.entries())
        if (isThere(nth)) await expectOk(stores().codes.add(code, tryLimits()));
      const outcomes = await race(CALLS, (nth) => {
        const code = at(codes, nth);
        const tried = nth % 3 === 1 ? code : { ...code, codeHash: aKeyedHash() };
        return stores().codes.attempt(tried, tryLimits({ perCode: nth === 2 ? 0 : 5 }));
      });
      const expected = (nth: number) => {
        if (!isThere(nth)) return "none";
        if (nth === 2) return "exhausted";
        return nth % 3 === 1 ? "matched" : "wrong";
      };
      expect(outcomes).toEqual(eachOf(expected));
    });

    it("units of different counters count for their own counter", async () => {
      const keys = eachOf(() => aQuotaKey());
      const unit = aQuotaTake({ limit: CALLS });
      for (const [nth, key] of keys.entries())
        for (let taken = 0; taken < nth; taken += 1) await expectOk(stores().quotas.take(key, unit));
      const grants = await race(CALLS, (nth) =>
        stores().quotas.take(at(keys, nth), isThere(nth) ? unit : { ...unit, limit: 0 }),
      );
      expect(grants).toEqual(
        eachOf((nth) => (isThere(nth) ? { granted: true, used: nth + 1 } : { granted: false, used: nth })),
      );
      await race(CALLS, (nth) => stores().quotas.giveBack(at(keys, nth), unit.day));
      const after = await race(CALLS, (nth) => stores().quotas.take(at(keys, nth), unit));
      expect(after.map(({ used }) => used)).toEqual(
        eachOf((nth) => (isThere(nth) ? nth + 1 : Math.max(nth, 1))),
      );
    });

    it("customers and their sessions are found under their own number and token", async () => {
      const hashes = eachOf(() => aKeyedHash());
      const identify = (kind: string) =>
        race(CALLS, (nth) =>
          stores().sessions.identify("app_1", [at(hashes, nth)], `${kind}-${nth}`, FIXTURE_TIME),
        );
      for (const [nth, hash] of hashes.entries())
        if (isThere(nth))
          await expectOk(stores().sessions.identify("app_1", [hash], `early-${nth}`, FIXTURE_TIME));
      const ids = await identify("late");
      expect(ids).toEqual(eachOf((nth) => (isThere(nth) ? `early-${nth}` : `late-${nth}`)));
      const sessions = ids.map((customerId) => aSession({ customerId }));
      const earlier = ids.map((customerId) => aSession({ customerId, gmtCreate: FIXTURE_TIME - 1 }));
      for (const [nth, session] of earlier.entries())
        if (isThere(nth)) await expectOk(stores().sessions.open(session, 1));
      const ended = await race(CALLS, (nth) => stores().sessions.open(at(sessions, nth), 1));
      expect(ended).toEqual(eachOf((nth) => (isThere(nth) ? [at(earlier, nth)] : [])));
      const live = await race(CALLS, (nth) =>
        stores().sessions.use(isThere(nth) ? at(sessions, nth) : at(earlier, nth), FIXTURE_TIME),
      );
      expect(live).toEqual(eachOf(isThere));
    });

    it("orders are created, found, listed and prepaid under their own key", async () => {
      const orders = eachOf(() => anOrder({ customerIdentity: unique("customer-") }));
      for (const [nth, order] of orders.entries())
        if (isThere(nth)) await expectOk(stores().orders.insertOnce(order, anEntry()));
      const found = await race(CALLS, (nth) => stores().orders.find(at(orders, nth)));
      expect(found).toEqual(eachOf((nth) => (isThere(nth) ? at(orders, nth) : undefined)));
      const lists = await race(CALLS, (nth) =>
        stores().orders.list({ ...at(orders, nth), paymentStatus: "PENDING", offset: 0, limit: 5 }),
      );
      expect(lists.map(({ items }) => items)).toEqual(
        found.map((order) => (order === undefined ? [] : [order])),
      );
      const values = (nth: number) => ({ prepayId: `p-${nth}` });
      const prepaid = await race(CALLS, (nth) =>
        stores().orders.attachPrepayment(at(orders, nth), {
          issuedAt: FIXTURE_TIME,
          validUntil: FIXTURE_TIME + DAY,
          values: values(nth),
        }),
      );
      expect(prepaid.map((order) => order && [order.id, order.prepayment?.values])).toEqual(
        eachOf((nth) => (isThere(nth) ? [at(orders, nth).id, values(nth)] : undefined)),
      );
      const kept = await race(CALLS, (nth) =>
        stores().orders.insertOnce({ ...at(orders, nth), id: anId(), amount: 700 + nth }, anEntry()),
      );
      expect(kept.map(({ amount }) => amount)).toEqual(eachOf((nth) => (isThere(nth) ? 600 : 700 + nth)));
    });
  });
}
