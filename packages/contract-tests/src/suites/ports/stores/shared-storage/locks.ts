import { findTimelineBreak, type Order, type Prepayment } from "@tillkit/core";
import type { AuthCode, Session } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aCode,
  aKeyedHash,
  anAlarm,
  anEntry,
  anOrder,
  aPayment,
  aQuotaKey,
  aQuotaTake,
  aSession,
  FIXTURE_TIME,
  DAY,
  MINUTE,
  sha256,
  unique,
  tryLimits,
} from "../../../../support/fixtures.js";
import { expectOk } from "../../../../support/open-before-each.js";
import type { SharedStorage } from "../../../../support/stores/shared-storage-harness.js";

/** Maximum milliseconds of a call that waits for no lock, on a machine that runs other tests. */
const PATIENCE = 30_000;

const prepayment: Prepayment = {
  issuedAt: FIXTURE_TIME,
  validUntil: FIXTURE_TIME + DAY,
  values: { prepayId: "wx-1" },
};

/**
 * Tests a row that another process changes: only calls about this row wait, and then see the
 * change.
 */
export function locks(storage: () => SharedStorage): void {
  const aStoredOrder = () => expectOk(storage().port.orders.insertOnce(anOrder(), anEntry()));
  const pay = (order: Order) => () => expectOk(storage().port.orders.transition(order, aPayment()));
  const aStoredCode = async () => {
    const code = aCode();
    await expectOk(storage().port.codes.add(code, tryLimits()));
    return code;
  };
  const wrongly = (code: AuthCode): AuthCode => ({ ...code, codeHash: aKeyedHash() });
  const attempt = (code: AuthCode) => expectOk(storage().port.codes.attempt(code, tryLimits({ perCode: 2 })));
  const aLogin = (changes: Partial<Session> = {}) =>
    aSession({ customerId: unique("customer-"), ...changes });
  const open = (session: Session, maxLive: number) =>
    expectOk(storage().port.sessions.open(session, maxLive));

  /**
   * Starts both calls at once and expects that only the first one waits.
   *
   * The second call must settle while the row is locked, and the first call after that.
   */
  async function expectOnlyFirstWaits<T>(
    row: Parameters<SharedStorage["whileLocked"]>[0],
    calls: readonly [locked: () => Promise<T>, free: () => Promise<T>],
  ): Promise<readonly [T, T]> {
    const { first, second } = await storage().whileLocked(row, async () => {
      const settled: string[] = [];
      const first = calls[0]().finally(() => settled.push("locked"));
      const second = calls[1]().finally(() => settled.push("free"));
      await expect.poll(() => settled, { timeout: PATIENCE }).toContain("free");
      expect(settled).toEqual(["free"]);
      return { first, second };
    });
    return [await first, await second];
  }

  describe("a row that another process has locked", () => {
    it("delays a prepayment of its order, and of no other order", async () => {
      const [locked, free] = [await aStoredOrder(), await aStoredOrder()];
      const attach = (order: typeof locked) => () =>
        expectOk(storage().port.orders.attachPrepayment(order, prepayment));
      const attached = await expectOnlyFirstWaits({ order: locked }, [attach(locked), attach(free)]);
      expect(attached).toMatchObject([
        { id: locked.id, prepayment },
        { id: free.id, prepayment },
      ]);
    });

    it("delays a payment of its order, and of no other order", async () => {
      const [locked, free] = [await aStoredOrder(), await aStoredOrder()];
      const paid = await expectOnlyFirstWaits({ order: locked }, [pay(locked), pay(free)]);
      expect(paid).toMatchObject([
        { moved: true, order: { id: locked.id, paymentStatus: "PAID" } },
        { moved: true, order: { id: free.id, paymentStatus: "PAID" } },
      ]);
    });

    it("delays a login of its customer, and of no other customer", async () => {
      const [locked, free] = [aLogin(), aLogin()];
      for (const session of [locked, free]) await open(session, 5);
      const again = ({ customerId }: Session) => aLogin({ customerId, gmtCreate: FIXTURE_TIME + 1 });
      const ended = await expectOnlyFirstWaits({ logins: locked }, [
        () => open(again(locked), 1),
        () => open(again(free), 1),
      ]);
      expect(ended).toEqual([[locked], [free]]);
    });

    it("delays an attempt of its code, and of no other code", async () => {
      const [locked, free] = [await aStoredCode(), await aStoredCode()];
      const outcomes = await expectOnlyFirstWaits({ code: locked }, [
        () => attempt(locked),
        () => attempt(free),
      ]);
      expect(outcomes).toEqual(["matched", "matched"]);
    });

    it("delays the return of a unit of its counter, and of no other counter", async () => {
      const { port } = storage();
      const [locked, free] = [aQuotaKey(), aQuotaKey()];
      const unit = aQuotaTake();
      for (const key of [locked, free]) await expectOk(port.quotas.take(key, unit));
      await expectOnlyFirstWaits({ counter: locked }, [
        () => expectOk(port.quotas.giveBack(locked, unit.day)),
        () => expectOk(port.quotas.giveBack(free, unit.day)),
      ]);
      for (const key of [locked, free])
        expect(await expectOk(port.quotas.take(key, { ...unit, limit: 1 }))).toEqual({
          granted: true,
          used: 1,
        });
    });
  });

  describe("while another process changes a row during a call,", () => {
    it("an order still gets its prepayment", async () => {
      const { another, whileBlocked } = storage();
      const [first, second] = [await aStoredOrder(), await aStoredOrder()];
      const attach = (order: typeof first) =>
        expectOk(storage().port.orders.attachPrepayment(order, prepayment));
      const attached = await whileBlocked(
        { order: first },
        () => Promise.all([attach(first), attach(second)]),
        async () =>
          expect(await expectOk(another().orders.claimQuery(second, FIXTURE_TIME, MINUTE))).toBe(true),
      );
      expect(attached).toMatchObject([{ prepayment }, { prepayment }]);
      expect(await expectOk(another().orders.find(second))).toMatchObject({
        prepayment,
        queriedAt: FIXTURE_TIME,
      });
    });

    it("an order still becomes PAID", async () => {
      const { another, whileBlocked } = storage();
      const [first, second] = [await aStoredOrder(), await aStoredOrder()];
      const paid = await whileBlocked(
        { order: first },
        () => Promise.all([pay(first)(), pay(second)()]),
        async () => expect(await expectOk(another().orders.record(second, anAlarm()))).toBe(true),
      );
      expect(paid).toMatchObject([{ moved: true }, { moved: true }]);
      const events = await expectOk(another().orders.timeline(second));
      expect(events.map(({ type }) => type).toSorted()).toEqual(["CREATED", "MISMATCH", "PAID"]);
      expect(findTimelineBreak(sha256, second.id, events)).toBeUndefined();
    });

    it("a login counts the session of a concurrent login", async () => {
      const { another, whileBlocked } = storage();
      const [first, second] = [aLogin(), aLogin()];
      for (const session of [first, second]) await open(session, 1);
      const later = ({ customerId }: Session, age: number) =>
        aLogin({ customerId, gmtCreate: FIXTURE_TIME + age });
      const [meanwhile, last] = [later(second, 1), later(second, 2)];
      let endedThere: readonly Session[] = [];
      const ended = await whileBlocked(
        { logins: first },
        () => Promise.all([open(later(first, 2), 1), open(last, 1)]),
        async () => {
          endedThere = (await expectOk(another().sessions.open(meanwhile, 1))) ?? [];
        },
      );
      expect(ended[0]).toEqual([first]);
      // Either login may be the first. The later login evicts the session of the first.
      const [endedFirst] = endedThere;
      const [winner, loser] =
        endedFirst?.tokenHash === second.tokenHash ? [last, meanwhile] : [meanwhile, last];
      const allEnded = [...(ended[1] ?? []), ...endedThere];
      expect(allEnded).toHaveLength(2);
      expect(allEnded).toEqual(expect.arrayContaining([second, loser]));
      expect(await expectOk(another().sessions.use(loser, FIXTURE_TIME + 2))).toBe(false);
      expect(await expectOk(another().sessions.use(winner, FIXTURE_TIME + 2))).toBe(true);
    });

    it("an attempt counts a concurrent attempt of the code, and the code is consumed once", async () => {
      const { another, whileBlocked } = storage();
      const [first, counted, consumed] = [await aStoredCode(), await aStoredCode(), await aStoredCode()];
      const outcomes = await whileBlocked(
        { code: first },
        () => Promise.all([attempt(wrongly(first)), attempt(wrongly(counted)), attempt(consumed)]),
        async () => {
          const tried = (code: AuthCode) =>
            expectOk(another().codes.attempt(wrongly(code), tryLimits({ perCode: 2 })));
          expect(await tried(counted)).toBe("wrong");
          // `attempt(consumed)` has consumed its code, unless it shares a statement with the
          // blocked call.
          expect(["wrong", "none"]).toContain(await tried(consumed));
        },
      );
      expect(outcomes).toEqual(["wrong", "wrong", "matched"]);
      expect(await attempt(counted)).toBe("exhausted");
      expect(await attempt(consumed)).toBe("none");
    });
  });
}
