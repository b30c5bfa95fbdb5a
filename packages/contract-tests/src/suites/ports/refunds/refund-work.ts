import { OPEN_REFUND_STATUSES, type Order, type Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  anEntry,
  FIXTURE_TIME,
  MINUTE,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: claiming refunds until they are final. */
export function refundWork(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const requested = async (nextTryAt: number, changes: Partial<Order> = {}) => {
    const order = await aPaidOrder(stores(), changes);
    return { order, refund: await aRequestedRefund(stores(), order, { nextTryAt }) };
  };
  const requestedAt = async (gmtCreate: number, changes: Partial<Order> = {}) => {
    const order = await aPaidOrder(stores(), changes);
    return { order, refund: await aRequestedRefund(stores(), order, { gmtCreate }) };
  };
  const dueNumbers = async (now: number, limit = 100, lease = MINUTE) =>
    (await expectOk(stores().refunds.claimDue(now, limit, lease))).map(({ refundNo }) => refundNo);

  describe("claimDue", () => {
    it.each(OPEN_REFUND_STATUSES)(
      "claims a refund that is %s, without a change of its status and time",
      async (status) => {
        const { order, refund } = await requested(FIXTURE_TIME);
        const open = await refundMovedTo(stores(), order, refund, status);
        await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 7));
        const handed = await expectOk(stores().refunds.claimDue(FIXTURE_TIME + 7, 100, MINUTE));
        expect(handed).toEqual([{ ...open, nextTryAt: FIXTURE_TIME + 7 + MINUTE }]);
      },
    );

    it("claims due REQUESTED and SENT refunds and postpones them by the lease", async () => {
      const open = await requested(FIXTURE_TIME);
      const sent = await requested(FIXTURE_TIME + MINUTE);
      const entry = anEntry({ type: "REFUND_SENT" });
      await expectOk(stores().refunds.markSent(sent.order, sent.refund.refundNo, FIXTURE_TIME + 1, entry));
      await requested(FIXTURE_TIME + 2);
      const handed = await expectOk(stores().refunds.claimDue(FIXTURE_TIME + 1, 100, MINUTE));
      expect(handed).toMatchObject([
        { refundNo: open.refund.refundNo, bizNo: open.order.bizNo, status: "REQUESTED", amount: 100 },
        { refundNo: sent.refund.refundNo, bizNo: sent.order.bizNo, status: "SENT" },
      ]);
      expect(await dueNumbers(FIXTURE_TIME + 1)).toEqual([]);
      expect((await expectOk(stores().refunds.list(open.order)))[0]?.nextTryAt).toBe(
        FIXTURE_TIME + 1 + MINUTE,
      );
    });

    it("claims a refund again after the lease", async () => {
      const { refund } = await requested(FIXTURE_TIME);
      await dueNumbers(FIXTURE_TIME);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE - 1)).toEqual([]);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE)).toEqual([refund.refundNo]);
    });

    it("claims at most the limit, of every app", async () => {
      const numbers = new Set<string>();
      for (const appId of ["app_1", "app_2", "app_3"])
        numbers.add((await requested(FIXTURE_TIME, { appId })).refund.refundNo);
      const first = await dueNumbers(FIXTURE_TIME, 2);
      expect(first).toHaveLength(2);
      expect(new Set([...first, ...(await dueNumbers(FIXTURE_TIME, 2))])).toEqual(numbers);
    });

    it.each(["CONFIRMED", "FAILED", "SETTLED"] as const)(
      "does not claim a refund that is %s",
      async (status) => {
        const { order, refund } = await requested(FIXTURE_TIME);
        await refundMovedTo(stores(), order, refund, status);
        expect(await dueNumbers(FIXTURE_TIME + 100 * MINUTE)).toEqual([]);
        expect(await expectOk(stores().refunds.dueSince(FIXTURE_TIME + 100 * MINUTE, 9))).toStrictEqual({
          due: 0,
        });
      },
    );

    it(`assigns each refund to one of ${CONCURRENT_CALLERS} concurrent workers`, async () => {
      const work = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, (_, index) => requested(FIXTURE_TIME + (index % 5))),
      );
      const handed: string[] = [];
      for (let round = 0; round < CONCURRENT_CALLERS; round += 1) {
        const batches = await race(CONCURRENT_CALLERS, () =>
          stores().refunds.claimDue(FIXTURE_TIME + 10, 5, MINUTE),
        );
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(5);
        const found = batches.flat().map(({ refundNo }) => refundNo);
        if (found.length === 0) break;
        handed.push(...found);
      }
      expect(handed.toSorted()).toEqual(work.map(({ refund }) => refund.refundNo).toSorted());
    });
  });

  describe("dueSince", () => {
    const dueSince = (now: number, atMost = 100) => expectOk(stores().refunds.dueSince(now, atMost));

    it("returns zero if nothing is due", async () => {
      await requested(FIXTURE_TIME + 1);
      expect(await dueSince(FIXTURE_TIME)).toStrictEqual({ due: 0 });
    });

    it("counts due REQUESTED and SENT refunds up to the limit, and returns since when the oldest is due", async () => {
      await requested(FIXTURE_TIME + 2);
      await requested(FIXTURE_TIME + 3, { appId: "app_2" });
      const sent = await requested(FIXTURE_TIME + MINUTE);
      const entry = anEntry({ type: "REFUND_SENT" });
      await expectOk(stores().refunds.markSent(sent.order, sent.refund.refundNo, FIXTURE_TIME + 1, entry));
      expect(await dueSince(FIXTURE_TIME + 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME + 9, 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME + 9)).toStrictEqual({ due: 3, oldestDueAt: FIXTURE_TIME + 1 });
    });

    it("does not count claimed refunds before the lease ends, nor ended refunds", async () => {
      await requested(FIXTURE_TIME);
      const final = await requested(FIXTURE_TIME);
      await expectOk(stores().refunds.confirm(final.order, final.refund.refundNo, aConfirmation()));
      await dueNumbers(FIXTURE_TIME);
      expect(await dueSince(FIXTURE_TIME + MINUTE - 1)).toStrictEqual({ due: 0 });
      expect(await dueSince(FIXTURE_TIME + MINUTE)).toStrictEqual({
        due: 1,
        oldestDueAt: FIXTURE_TIME + MINUTE,
      });
    });

    it(`claims nothing in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { refund } = await requested(FIXTURE_TIME);
      const counted = await race(CONCURRENT_CALLERS, () => stores().refunds.dueSince(FIXTURE_TIME, 100));
      for (const work of counted) expect(work).toStrictEqual({ due: 1, oldestDueAt: FIXTURE_TIME });
      expect(await dueNumbers(FIXTURE_TIME)).toEqual([refund.refundNo]);
    });
  });

  describe("openByStatus", () => {
    const open = (atMost = 100) => expectOk(stores().refunds.openByStatus(atMost));

    it("counts the refunds of each open status, and no ended refunds", async () => {
      const { refunds } = stores();
      await requestedAt(FIXTURE_TIME + 5);
      await requestedAt(FIXTURE_TIME + 2, { appId: "app_2" });
      for (const at of [7, 6]) {
        const { order, refund } = await requestedAt(FIXTURE_TIME + at);
        const entry = anEntry({ type: "REFUND_SENT" });
        await expectOk(refunds.markSent(order, refund.refundNo, FIXTURE_TIME + 9, entry));
      }
      const ended = await requestedAt(FIXTURE_TIME + 1);
      await expectOk(refunds.confirm(ended.order, ended.refund.refundNo, aConfirmation()));
      const sent = { status: "SENT", count: 2, oldestAt: FIXTURE_TIME + 6 };
      expect(await open()).toStrictEqual([
        { status: "REQUESTED", count: 2, oldestAt: FIXTURE_TIME + 2 },
        sent,
      ]);
      expect(await open(1)).toStrictEqual([
        { status: "REQUESTED", count: 1, oldestAt: FIXTURE_TIME + 2 },
        { ...sent, count: 1 },
      ]);
    });

    it("returns nothing if no refund is open", async () => {
      expect(await open()).toEqual([]);
    });
  });

  describe("schedule", () => {
    it("sets when an open refund is processed next", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 5));
      expect(await dueNumbers(FIXTURE_TIME + 4)).toEqual([]);
      expect(await dueNumbers(FIXTURE_TIME + 5)).toEqual([refund.refundNo]);
    });

    it("stores the wallet's number, and keeps the first number", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      const { refunds } = stores();
      for (const number of [undefined, "first", undefined, "second"])
        await expectOk(refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 5, number));
      const stored = { ...refund, nextTryAt: FIXTURE_TIME + 5, walletRefundNo: "first" };
      expect(await expectOk(refunds.list(order))).toEqual([stored]);
    });

    it("does not change a refund that has ended", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      const confirmed = await expectOk(stores().refunds.confirm(order, refund.refundNo, aConfirmation()));
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME));
      expect(await expectOk(stores().refunds.list(order))).toEqual([confirmed?.refund]);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it(`does not change a refund that ends during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      await race(CONCURRENT_CALLERS, async (caller) => {
        if (caller !== CONCURRENT_CALLERS / 2)
          return stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME + caller);
        const confirmed = await stores().refunds.confirm(order, refund.refundNo, aConfirmation());
        return confirmed.map(() => undefined);
      });
      expect(await expectOk(stores().refunds.list(order))).toMatchObject([{ status: "CONFIRMED" }]);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE)).toEqual([]);
    });
  });
}
