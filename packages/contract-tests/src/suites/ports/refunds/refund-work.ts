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
  const dueNumbers = async (now: number, limit = 100, lease = MINUTE) =>
    (await expectOk(stores().refunds.claimDue(now, limit, lease))).map(({ refundNo }) => refundNo);

  describe("claimDue", () => {
    it.each(OPEN_REFUND_STATUSES)(
      "hands out a refund that is %s, and leaves its status and its time",
      async (status) => {
        const { order, refund } = await requested(FIXTURE_TIME);
        const open = await refundMovedTo(stores(), order, refund, status);
        await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 7));
        const handed = await expectOk(stores().refunds.claimDue(FIXTURE_TIME + 7, 100, MINUTE));
        expect(handed).toEqual([{ ...open, nextTryAt: FIXTURE_TIME + 7 + MINUTE }]);
      },
    );

    it("hands out REQUESTED and SENT refunds whose time has come and puts them off by the lease", async () => {
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

    it("hands out a refund again after the lease", async () => {
      const { refund } = await requested(FIXTURE_TIME);
      await dueNumbers(FIXTURE_TIME);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE - 1)).toEqual([]);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE)).toEqual([refund.refundNo]);
    });

    it("hands out no more than the limit, whatever their app", async () => {
      const numbers = new Set<string>();
      for (const appId of ["app_1", "app_2", "app_3"])
        numbers.add((await requested(FIXTURE_TIME, { appId })).refund.refundNo);
      const first = await dueNumbers(FIXTURE_TIME, 2);
      expect(first).toHaveLength(2);
      expect(new Set([...first, ...(await dueNumbers(FIXTURE_TIME, 2))])).toEqual(numbers);
    });

    it.each(["CONFIRMED", "FAILED", "SETTLED"] as const)("hands out no refund that is %s", async (status) => {
      const { order, refund } = await requested(FIXTURE_TIME);
      await refundMovedTo(stores(), order, refund, status);
      expect(await dueNumbers(FIXTURE_TIME + 100 * MINUTE)).toEqual([]);
      expect(await expectOk(stores().refunds.dueSince(FIXTURE_TIME + 100 * MINUTE, 9))).toStrictEqual({
        due: 0,
      });
    });

    it(`hands out each refund once to ${CONCURRENT_CALLERS} concurrent workers`, async () => {
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

    it("is nothing where nothing is due", async () => {
      await requested(FIXTURE_TIME + 1);
      expect(await dueSince(FIXTURE_TIME)).toStrictEqual({ due: 0 });
    });

    it("counts REQUESTED and SENT refunds that are due, up to the bound, and returns since when the oldest is", async () => {
      await requested(FIXTURE_TIME + 2);
      await requested(FIXTURE_TIME + 3, { appId: "app_2" });
      const sent = await requested(FIXTURE_TIME + MINUTE);
      const entry = anEntry({ type: "REFUND_SENT" });
      await expectOk(stores().refunds.markSent(sent.order, sent.refund.refundNo, FIXTURE_TIME + 1, entry));
      expect(await dueSince(FIXTURE_TIME + 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME + 9, 2)).toStrictEqual({ due: 2, oldestDueAt: FIXTURE_TIME + 1 });
      expect(await dueSince(FIXTURE_TIME + 9)).toStrictEqual({ due: 3, oldestDueAt: FIXTURE_TIME + 1 });
    });

    it("does not count what is claimed until the lease is over, nor what is final", async () => {
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

    it(`claims nothing among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { refund } = await requested(FIXTURE_TIME);
      const counted = await race(CONCURRENT_CALLERS, () => stores().refunds.dueSince(FIXTURE_TIME, 100));
      for (const work of counted) expect(work).toStrictEqual({ due: 1, oldestDueAt: FIXTURE_TIME });
      expect(await dueNumbers(FIXTURE_TIME)).toEqual([refund.refundNo]);
    });
  });

  describe("schedule", () => {
    it("sets when a refund that is not final is pursued next", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 5));
      expect(await dueNumbers(FIXTURE_TIME + 4)).toEqual([]);
      expect(await dueNumbers(FIXTURE_TIME + 5)).toEqual([refund.refundNo]);
    });

    it("stores the wallet's number, and keeps the first one", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      const { refunds } = stores();
      for (const number of [undefined, "first", undefined, "second"])
        await expectOk(refunds.schedule(order, refund.refundNo, FIXTURE_TIME + 5, number));
      const stored = { ...refund, nextTryAt: FIXTURE_TIME + 5, walletRefundNo: "first" };
      expect(await expectOk(refunds.list(order))).toEqual([stored]);
    });

    it("leaves a refund that is final", async () => {
      const { order, refund } = await requested(FIXTURE_TIME);
      const confirmed = await expectOk(stores().refunds.confirm(order, refund.refundNo, aConfirmation()));
      await expectOk(stores().refunds.schedule(order, refund.refundNo, FIXTURE_TIME));
      expect(await expectOk(stores().refunds.list(order))).toEqual([confirmed?.refund]);
      expect(await dueNumbers(FIXTURE_TIME + MINUTE)).toEqual([]);
    });

    it(`leaves a refund that becomes final among ${CONCURRENT_CALLERS} concurrent calls`, async () => {
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
