import { findTimelineBreak, type Order, type Refund, REFUND_STATUSES, type Stores } from "@tillkit/core";
import { isOpenRefund } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  anEntry,
  anOrder,
  aRefund,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  MINUTE,
  CONCURRENT_CALLERS,
  sha256,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aProgress, refundMovedTo } from "../../../support/stores/refund-moved-to.js";
import { aPaidOrder, aRequestedRefund, requestEntry } from "../../../support/stores/paid-order.js";

/** Tests `RefundStore`: requesting and reading refunds. */
export function refundRequests(stores: () => Pick<Stores, "orders" | "refunds">): void {
  const request = (refund: Refund) => expectOk(stores().refunds.request(refund, requestEntry()));
  const list = (order: Order) => expectOk(stores().refunds.list(order));
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));

  const confirmed = (order: Order, { refundNo }: Refund) =>
    stores().refunds.confirm(order, refundNo, aConfirmation());
  const rejected = (order: Order, { refundNo }: Refund) =>
    stores().refunds.reject(order, refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" }));
  /** Returns a refund of the order in this status. */
  const aRefundIn = async (order: Order, status: Refund["status"], amount: number) =>
    refundMovedTo(stores(), order, await aRequestedRefund(stores(), order, { amount }), status);

  describe("request", () => {
    it("stores a REQUESTED refund exactly as given and appends the entry", async () => {
      const order = await aPaidOrder(stores());
      const refund = aRefund({
        bizNo: order.bizNo,
        reason: UNUSUAL_TEXT,
        operator: UNUSUAL_TEXT,
        nextTryAt: FIXTURE_TIME + 5,
      });
      const entry = requestEntry({ actor: `operator:${UNUSUAL_TEXT}` });
      expect(await expectOk(stores().refunds.request(refund, entry))).toEqual({
        kind: "requested",
        refund,
        order,
      });
      expect(await list(order)).toEqual([refund]);
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect((await timeline(order)).at(-1)).toMatchObject(entry);
    });

    it("stores a refund of the whole amount, of any size", async () => {
      const order = await aPaidOrder(stores(), { amount: 10_000_000_000 });
      const refund = aRefund({ bizNo: order.bizNo, amount: 10_000_000_000 });
      expect((await request(refund)).kind).toBe("requested");
      expect((await list(order))[0]?.amount).toBe(10_000_000_000);
    });

    it("reports an unknown order and another app's order as missing", async () => {
      const order = await aPaidOrder(stores());
      expect(await request(aRefund({ bizNo: unique("biz-") }))).toEqual({ kind: "no-order" });
      expect(await request(aRefund({ bizNo: order.bizNo, appId: "app_2" }))).toEqual({ kind: "no-order" });
      expect(await list(order)).toEqual([]);
    });

    it("reports an order that is not PAID, and stores nothing", async () => {
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      expect(await request(aRefund({ bizNo: order.bizNo }))).toEqual({ kind: "not-paid", order });
      expect(await list(order)).toEqual([]);
      expect(await timeline(order)).toHaveLength(1);
    });

    it("reports that the order has been refunded", async () => {
      const order = await aPaidOrder(stores());
      const refund = await aRequestedRefund(stores(), order, { amount: order.amount });
      const done = await expectOk(stores().refunds.confirm(order, refund.refundNo, aConfirmation()));
      expect(await request(aRefund({ bizNo: order.bizNo }))).toEqual({
        kind: "not-paid",
        order: done?.order,
      });
    });

    it.each(["REQUESTED", "SENT"] as const)("reports another refund that is %s", async (status) => {
      const order = await aPaidOrder(stores());
      let open = await aRequestedRefund(stores(), order);
      if (status === "SENT") {
        const sent = await expectOk(
          stores().refunds.markSent(order, open.refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_SENT" })),
        );
        open = sent?.refund ?? open;
      }
      expect(await request(aRefund({ bizNo: order.bizNo }))).toEqual({
        kind: "in-progress",
        order,
        refund: open,
      });
      expect(await list(order)).toEqual([open]);
    });

    it("reports another refund in progress even if a failed refund is confirmed in the meantime", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const failed = await aRefundIn(order, "FAILED", 100);
      const open = await aRequestedRefund(stores(), order, { amount: 100 });
      await expectOk(confirmed(order, failed));
      const third = aRefund({ bizNo: order.bizNo, amount: 100 });
      expect(await request(third)).toMatchObject({ kind: "in-progress", refund: open });
    });

    it("reports that the refund would exceed the amount, including confirmed refunds", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      expect(await request(aRefund({ bizNo: order.bizNo, amount: 601 }))).toEqual({
        kind: "exceeds-remaining",
        order,
        remaining: 600,
      });
      const first = await aRequestedRefund(stores(), order, { amount: 500 });
      const confirmed = await expectOk(stores().refunds.confirm(order, first.refundNo, aConfirmation()));
      const events = await timeline(order);
      expect(await request(aRefund({ bizNo: order.bizNo, amount: 101 }))).toEqual({
        kind: "exceeds-remaining",
        order: confirmed?.order,
        remaining: 100,
      });
      expect(await timeline(order)).toEqual(events);
      expect((await request(aRefund({ bizNo: order.bizNo, amount: 100 }))).kind).toBe("requested");
    });

    it.each(["WAITING_FOR_FUNDS", "ABNORMAL"] as const)(
      "counts the reserved amount of a refund that is %s, which does not block the request",
      async (status) => {
        const order = await aPaidOrder(stores(), { amount: 600 });
        const reserving = await aRefundIn(order, status, 400);
        expect(await request(aRefund({ bizNo: order.bizNo, amount: 201 }))).toEqual({
          kind: "exceeds-remaining",
          order,
          remaining: 200,
        });
        const next = await request(aRefund({ bizNo: order.bizNo, amount: 200 }));
        expect(next.kind).toBe("requested");
        expect(await list(order)).toHaveLength(2);
        expect(await request(reserving)).toMatchObject({ kind: "held", refund: reserving });
      },
    );

    it("counts refunds settled by other means", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      await aRefundIn(order, "SETTLED", 400);
      expect(await request(aRefund({ bizNo: order.bizNo, amount: 201 }))).toMatchObject({
        kind: "exceeds-remaining",
        remaining: 200,
      });
      expect((await request(aRefund({ bizNo: order.bizNo, amount: 200 }))).kind).toBe("requested");
    });

    it("succeeds again after a refund that reserved its amount has failed", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const waiting = await aRefundIn(order, "WAITING_FOR_FUNDS", 600);
      await expectOk(rejected(order, waiting));
      expect((await request(aRefund({ bizNo: order.bizNo, amount: 600 }))).kind).toBe("requested");
    });

    it("reports a refund in progress until both open refunds have ended", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const waiting = await aRefundIn(order, "WAITING_FOR_FUNDS", 100);
      const second = await aRequestedRefund(stores(), order, { amount: 100 });
      await expectOk(stores().refunds.progress(order, waiting.refundNo, aProgress(waiting, { to: "SENT" })));
      const third = aRefund({ bizNo: order.bizNo, amount: 100 });
      expect((await request(third)).kind).toBe("in-progress");
      await expectOk(confirmed(order, second));
      expect(await request(third)).toMatchObject({
        kind: "in-progress",
        refund: { refundNo: waiting.refundNo, status: "SENT" },
      });
      await expectOk(confirmed(order, waiting));
      expect((await request(third)).kind).toBe("requested");
    });

    it("does not count failed refunds", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const failed = await aRequestedRefund(stores(), order, { amount: 600 });
      await expectOk(
        stores().refunds.reject(order, failed.refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" })),
      );
      expect((await request(aRefund({ bizNo: order.bizNo, amount: 600 }))).kind).toBe("requested");
    });

    it.each(REFUND_STATUSES)(
      "returns the existing refund with the number, which is %s, and changes nothing",
      async (status) => {
        const order = await aPaidOrder(stores(), { amount: 600 });
        const stored = await aRefundIn(order, status, 600);
        const now = await expectOk(stores().orders.find(order));
        const events = await timeline(order);
        const again = {
          ...stored,
          amount: 1,
          reason: "another",
          operator: "kim",
          gmtCreate: FIXTURE_TIME + 1,
        };
        expect(await request(again)).toEqual({ kind: "held", order: now, refund: stored });
        expect(await list(order)).toEqual([stored]);
        expect(await timeline(order)).toEqual(events);
      },
    );

    it("returns the existing refund with the number while another refund is in progress", async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const first = await aRefundIn(order, "CONFIRMED", 100);
      const open = await aRequestedRefund(stores(), order, { amount: 100 });
      expect(await request(first)).toMatchObject({ kind: "held", refund: first });
      expect(await list(order)).toEqual([first, open]);
    });

    it("accepts a number that a refund of another order or app has", async () => {
      const [order, other] = [await aPaidOrder(stores()), await aPaidOrder(stores())];
      const twin = await aPaidOrder(stores(), { bizNo: order.bizNo, appId: "app_2" });
      const { refundNo } = await aRequestedRefund(stores(), order);
      for (const { appId, bizNo } of [other, twin])
        expect((await request(aRefund({ appId, bizNo, refundNo }))).kind).toBe("requested");
    });

    it(`stores one of ${CONCURRENT_CALLERS} concurrent requests with one number, and returns it to all`, async () => {
      const order = await aPaidOrder(stores());
      const refund = aRefund({ bizNo: order.bizNo });
      const answers = await race(CONCURRENT_CALLERS, () => stores().refunds.request(refund, requestEntry()));
      expect(answers.filter(({ kind }) => kind === "requested")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(CONCURRENT_CALLERS - 1);
      for (const answer of answers) expect(answer).toMatchObject({ refund });
      expect(await list(order)).toEqual([refund]);
      expect(await timeline(order)).toHaveLength(3);
    });

    it(`stores a number once while ${CONCURRENT_CALLERS} callers concurrently request it and end it`, async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      const refund = aRefund({ bizNo: order.bizNo, amount: 100 });
      // A caller that waited for the order finds no open refund, but the number is used.
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores()
          .refunds.request(refund, requestEntry())
          .andThen((answer) => {
            const ended = caller % 2 === 0 ? confirmed(order, refund) : rejected(order, refund);
            return ended.map(() => answer);
          }),
      );
      expect(answers.filter(({ kind }) => kind === "requested")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "held")).toHaveLength(CONCURRENT_CALLERS - 1);
      expect(await list(order)).toMatchObject([{ refundNo: refund.refundNo, status: "CONFIRMED" }]);
      expect((await expectOk(stores().orders.find(order)))?.refundedAmount).toBe(100);
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`stores one of ${CONCURRENT_CALLERS} concurrent requests, and returns it to the others`, async () => {
      const order = await aPaidOrder(stores());
      const answers = await race(CONCURRENT_CALLERS, () =>
        stores().refunds.request(aRefund({ bizNo: order.bizNo }), requestEntry()),
      );
      const stored = await list(order);
      expect(stored).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "requested")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "in-progress")).toHaveLength(CONCURRENT_CALLERS - 1);
      for (const answer of answers) expect(answer).toMatchObject({ refund: stored[0] });
      expect(await timeline(order)).toHaveLength(3);
    });

    it(`reserves at most the amount while ${CONCURRENT_CALLERS} callers concurrently request and postpone`, async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      // A waiting refund allows the next request, so only the sum limits the amount.
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores()
          .refunds.request(aRefund({ bizNo: order.bizNo, amount: 250 }), requestEntry())
          .andThen((answer) => {
            if (!("refund" in answer) || !isOpenRefund(answer.refund)) return okAsync(answer);
            const to = caller % 2 === 0 ? "WAITING_FOR_FUNDS" : "ABNORMAL";
            const progress = aProgress(answer.refund, { to });
            return stores()
              .refunds.progress(order, answer.refund.refundNo, progress)
              .map(() => answer);
          }),
      );
      const stored = await list(order);
      expect(stored.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(600);
      const requested = answers.filter(({ kind }) => kind === "requested");
      expect(requested).toHaveLength(stored.length);
      expect(requested.length).toBeGreaterThan(0);
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it(`never refunds more than the amount while ${CONCURRENT_CALLERS} callers concurrently request and confirm`, async () => {
      const order = await aPaidOrder(stores(), { amount: 600 });
      // An order has at most one open refund, so the workers take turns in many overlapping rounds.
      await race(CONCURRENT_CALLERS, () =>
        stores()
          .refunds.request(aRefund({ bizNo: order.bizNo, amount: 250 }), requestEntry())
          .andThen((answer) =>
            stores().refunds.confirm(
              order,
              "refund" in answer ? answer.refund.refundNo : "none",
              aConfirmation(),
            ),
          )
          .andThen(() =>
            stores().refunds.request(aRefund({ bizNo: order.bizNo, amount: 250 }), requestEntry()),
          ),
      );
      const confirmed = (await list(order)).filter(({ status }) => status === "CONFIRMED");
      const sum = confirmed.reduce((total, { amount }) => total + amount, 0);
      const after = await expectOk(stores().orders.find(order));
      expect(sum).toBeLessThanOrEqual(600);
      expect(after).toMatchObject({ refundedAmount: sum, paymentStatus: "PAID" });
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });
  });

  describe("list", () => {
    it("returns the order's refunds, oldest first", async () => {
      const order = await aPaidOrder(stores());
      const numbers: string[] = [];
      for (const age of [1, 2, 3]) {
        const refund = await aRequestedRefund(stores(), order, { gmtCreate: FIXTURE_TIME + age * MINUTE });
        await expectOk(
          stores().refunds.reject(order, refund.refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" })),
        );
        numbers.push(refund.refundNo);
      }
      expect((await list(order)).map(({ refundNo }) => refundNo)).toEqual(numbers);
    });

    it("sorts refunds of the same time by their numbers", async () => {
      const order = await aPaidOrder(stores());
      for (const refundNo of ["tie-b", "tie-C", "tie-a"]) {
        await aRequestedRefund(stores(), order, { refundNo });
        await expectOk(
          stores().refunds.reject(order, refundNo, FIXTURE_TIME, anEntry({ type: "REFUND_FAILED" })),
        );
      }
      expect((await list(order)).map(({ refundNo }) => refundNo)).toEqual(["tie-C", "tie-a", "tie-b"]);
    });

    it("is empty for an order without refunds, an unknown order and another app's order", async () => {
      const [order, other] = [await aPaidOrder(stores()), await aPaidOrder(stores())];
      await aRequestedRefund(stores(), order);
      expect(await list(other)).toEqual([]);
      expect(await list({ ...order, bizNo: unique("biz-") })).toEqual([]);
      expect(await list({ ...order, appId: "app_2" })).toEqual([]);
    });
  });
}
