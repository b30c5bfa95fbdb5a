import { readAttention } from "@tillkit/core";
import { acknowledgeAlarm } from "@tillkit/core/operators";
import { eventWith } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aFoundException } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  AN,
  approve,
  HAN,
  lastSeen,
  LI,
  OVER_300,
  reject,
  requested,
  waiting,
  withPaidOrder,
} from "../../support/http/operator-refunds.js";
import { REJECTED, refund, refundsOf } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const ALL = { policy: { refundApprovalOver: 0 } };

/** Tests that an operator sees what others have started before money moves. */
export function unseenActivityContract(start: StartService): void {
  describe("an operator who has not seen what others started", () => {
    it("is shown a waiting request instead of making another request", async () => {
      const { service, bizNo, order } = await withPaidOrder(start, ALL);
      const seen = await lastSeen(service, bizNo);
      const first = await waiting(service, bizNo, { amount: 150 });
      for (const known of [seen, undefined]) {
        const second = requested(service, AN, { bizNo, amount: 150, seen: known });
        expect(await expectFailure(second)).toMatchObject({
          name: "refund.unseen-activity",
          activity: {
            seen: seen + 1,
            refunds: [],
            alarms: [],
            approvals: [{ refundNo: first.refundNo, amount: 150, requestedBy: "li", state: "WAITING" }],
          },
        });
      }
      expect(await expectOk(service.host.refundApprovals.listOfOrder(order))).toEqual([first]);
      await waiting(service, bizNo, { operator: AN, amount: 150 });
    });

    it("is shown a refund that was made in the meantime, also if it has ended", async () => {
      const { service, bizNo, order } = await withPaidOrder(start, OVER_300);
      const seen = await lastSeen(service, bizNo);
      await expectOk(requested(service, LI, { bizNo, amount: 100 }));
      const unseen = requested(service, AN, { bizNo, amount: 100, seen });
      expect(await expectFailure(unseen)).toMatchObject({ name: "refund.unseen-activity" });
      expect(await refundsOf(service, order)).toHaveLength(1);
      await expectOk(requested(service, AN, { bizNo, amount: 100 }));
    });

    it("is not stopped by an alarm that is seen or acknowledged", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, OVER_300);
      wallet.failNext("refund", REJECTED, "before");
      await expectFailure(requested(service, LI, { bizNo, amount: 100 }));
      const unknown = requested(service, AN, { bizNo, amount: 100, seen: undefined });
      expect(await expectFailure(unknown)).toMatchObject({
        name: "refund.unseen-activity",
        activity: { alarms: [{ type: "REFUND_FAILED" }] },
      });
      const seen = await lastSeen(service, bizNo);
      const by = { operator: "an", reason: "read", from: "cli", traceId: "" };
      await expectOk(acknowledgeAlarm(service.ports, { appId: service.demo.appId, bizNo }, by));
      await expectOk(requested(service, AN, { bizNo, amount: 100, seen }));
      await expectOk(requested(service, AN, { bizNo, amount: 50, seen: undefined }));
    });

    it("is shown an open bill exception, and an exception that appears in the meantime", async () => {
      const { service, bizNo, order, wallet } = await withPaidOrder(start, OVER_300);
      const seen = await lastSeen(service, bizNo);
      const found = aFoundException({ kind: "PAYMENT_AMOUNT", outTradeNo: order.id, order });
      await expectOk(service.host.billExceptions.report([found]));
      const shown = { name: "refund.unseen-activity", activity: { exceptions: [{ id: found.id }] } };
      const unknown = requested(service, AN, { bizNo, amount: 100, seen: undefined });
      expect(await expectFailure(unknown)).toMatchObject(shown);
      // A bill run records the exception on the timeline. The store compares the timeline with what
      // the operator has seen.
      const event = eventWith("BILL_DIFFERENCE", { kind: found.kind, day: found.day, amountThere: 1 });
      const entry = { ...event, at: found.at, actor: "reconciler", evidence: found.id, alarm: false };
      expect(await expectOk(service.host.orders.record(order, entry))).toBe(true);
      expect(await expectOk(service.host.orders.record(order, entry))).toBe(false);
      const outdated = requested(service, AN, { bizNo, amount: 100, seen });
      expect(await expectFailure(outdated)).toMatchObject(shown);
      expect(wallet.balance()).toBe(600);
      await expectOk(requested(service, AN, { bizNo, amount: 100 }));
      const resolution = { operator: "an", note: "read", at: found.at, remedy: "settle" } as const;
      await expectOk(service.host.billExceptions.resolve(found.id, resolution));
      await expectOk(requested(service, AN, { bizNo, amount: 50, seen: undefined }));
      expect(wallet.balance()).toBe(450);
    });

    it.each([
      ["requests for approval", ALL],
      ["refunds", OVER_300],
    ])(
      "stores one of two concurrent %s, and shows the activity to the other operator",
      async (_, changes) => {
        const { service, bizNo, order, wallet } = await withPaidOrder(start, changes);
        const seen = await lastSeen(service, bizNo);
        const both = await Promise.all([
          requested(service, LI, { bizNo, amount: 150, seen }),
          requested(service, AN, { bizNo, amount: 150, seen }),
        ]);
        const stored = both.filter((one) => one.isOk());
        const refused = both.flatMap((one) => (one.isErr() ? [one.error.name] : []));
        expect([stored.length, refused]).toEqual([1, ["refund.unseen-activity"]]);
        const approvals = await expectOk(service.host.refundApprovals.listOfOrder(order));
        expect(approvals.length + (await refundsOf(service, order)).length).toBe(1);
        expect(wallet.balance()).toBe(changes === ALL ? 600 : 450);
      },
    );

    it("cannot approve a request, but can reject one", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, ALL);
      const first = await waiting(service, bizNo, { amount: 150 });
      const seen = await lastSeen(service, bizNo);
      const second = await waiting(service, bizNo, { amount: 150 });
      expect(await expectFailure(approve(service, HAN, first, { seen }))).toMatchObject({
        name: "refund.unseen-activity",
        activity: { approvals: [{ refundNo: second.refundNo }] },
      });
      expect(wallet.balance()).toBe(600);
      await expectOk(reject(service, HAN, second));
      await expectOk(approve(service, HAN, first));
      expect(wallet.balance()).toBe(450);
    });

    it("approves only one of two requests at the same moment", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, ALL);
      const both = [
        await waiting(service, bizNo, { amount: 150 }),
        await waiting(service, bizNo, { amount: 150 }),
      ];
      const seen = await lastSeen(service, bizNo);
      const decisions = await Promise.all(
        both.map(async (approval, nth) => approve(service, nth === 0 ? HAN : AN, approval, { seen })),
      );
      expect(decisions.filter((one) => one.isOk())).toHaveLength(1);
      expect(wallet.balance()).toBe(450);
    });

    it("can repeat an own request, which does not count as activity of others", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, OVER_300);
      const seen = await lastSeen(service, bizNo);
      for (const _ of [1, 2])
        await expectOk(requested(service, LI, { bizNo, refundNo: "r-1", amount: 100, seen }));
      expect(wallet.balance()).toBe(500);
    });
  });

  describe("an approved refund that cannot be made", () => {
    it("raises one alarm on the order, and lists of alarms contain it", async () => {
      const { service, bizNo, order, approvalOf } = await withPaidOrder(start, ALL);
      const approval = await waiting(service, bizNo, { amount: 600 });
      // A program of the host makes another refund after the check and before the approved refund.
      const { refunds } = service.ports;
      let isFirst = true;
      const ports = {
        ...service.ports,
        refunds: {
          ...refunds,
          request: (...asked: Parameters<typeof refunds.request>) => {
            if (!isFirst) return refunds.request(...asked);
            isFirst = false;
            return refund(service, bizNo, 100)
              .mapErr(() => ({ name: "storage.unavailable", cause: undefined }) as const)
              .andThen(() => refunds.request(...asked));
          },
        },
      };
      const failed = approve({ ...service, ports }, HAN, approval);
      expect(await expectFailure(failed)).toMatchObject({ name: "refund.exceeds-remaining" });
      expect(await approvalOf(approval.id)).toMatchObject({
        state: "APPROVED",
        failure: "refund.exceeds-remaining",
      });
      await expectFailure(approve(service, HAN, approval));
      const alarms = (await expectOk(service.host.orders.timeline(order))).filter(({ alarm }) => alarm);
      expect(alarms).toMatchObject([{ type: "REFUND_NOT_MADE", refundNo: approval.refundNo }]);
      const found = await expectOk(service.host.orderSearch.alarms(undefined, 10));
      expect(found).toMatchObject([{ appId: order.appId, bizNo }]);
      const matters = await expectOk(readAttention(service.ports, []));
      expect(matters).toContainEqual(
        expect.objectContaining({
          kind: "order-alarm",
          type: "REFUND_NOT_MADE",
          appId: order.appId,
          bizNo,
          refundNo: approval.refundNo,
        }),
      );
    });
  });
}
