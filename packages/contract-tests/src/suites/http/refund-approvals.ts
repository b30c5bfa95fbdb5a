import { PAY_CHANNELS } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  AN,
  approve,
  auditedRefunds,
  HAN,
  LI,
  OVER_300,
  reject,
  requested,
  waiting,
  withPaidOrder,
} from "../../support/http/operator-refunds.js";
import { callsOf, onlyRefundOf, refund, refundsOf, timelineOf } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const DECISIONS = [
  (...decision: Parameters<typeof approve>) =>
    approve(...decision)
      .map(() => true)
      .mapErr(({ name }) => ({ name })),
  (...decision: Parameters<typeof reject>) =>
    reject(...decision)
      .map(() => true)
      .mapErr(({ name }) => ({ name })),
] as const;

/** Tests that a large refund needs another operator, and is made once. */
export function refundApprovalsContract(start: StartService): void {
  describe("an approval", () => {
    it.each(PAY_CHANNELS)("by another operator makes the refund, at %s", async (payChannel) => {
      const { service, order, bizNo, wallet, approvalOf } = await withPaidOrder(start, OVER_300, payChannel);
      const approval = await waiting(service, bizNo);
      const { approval: after, made } = await expectOk(approve(service, HAN, approval));
      expect(after).toMatchObject({ state: "APPROVED", decidedBy: "han", note: "checked" });
      expect(after).not.toHaveProperty("nextTryAt");
      expect(await approvalOf(approval.id)).toEqual(after);
      expect(made).toMatchObject({ outcome: "refunded", refund: { amount: 400, operator: "li" } });
      expect(wallet.balance()).toBe(200);
      const [, , , approved, asked] = await timelineOf(service, order);
      expect(approved).toMatchObject({ type: "REFUND_APPROVED", actor: "operator:han", reason: "checked" });
      expect(asked).toMatchObject({ type: "REFUND_REQUESTED", actor: "operator:li" });
      expect(asked?.details).toContain('"approvedBy":"han"');
      expect(await auditedRefunds(service)).toEqual(["refund.request done li", "refund.approve done han"]);
    });

    it("by the operator who requested it is refused and recorded, as is a rejection", async () => {
      const { service, bizNo, wallet, approvalOf } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { operator: HAN });
      for (const decide of DECISIONS)
        expect(await expectFailure(decide(service, HAN, approval))).toEqual({
          name: "refund-approval.own",
        });
      expect([await approvalOf(approval.id), wallet.balance()]).toEqual([approval, 600]);
      expect((await auditedRefunds(service)).slice(1)).toEqual([
        "refund.approve refused han",
        "refund.reject refused han",
      ]);
    });

    it("is not found by an operator of other apps", async () => {
      const { service, bizNo, approvalOf } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo);
      const stranger = { ...HAN, apps: [service.second.appId] };
      for (const decide of DECISIONS)
        expect(await expectFailure(decide(service, stranger, approval))).toEqual({
          name: "refund-approval.not-found",
        });
      expect(await approvalOf(approval.id)).toEqual(approval);
    });

    it(`refunds once, despite ${CONCURRENT_CALLERS} concurrent decisions and requests`, async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
          caller % 3 === 2
            ? requested(service, LI, { bizNo, refundNo: "r-1", amount: 400 }).map(() => undefined)
            : approve(service, caller % 3 === 0 ? HAN : AN, approval).map(() => undefined),
        ),
      );
      expect(await onlyRefundOf(service, order)).toMatchObject({ amount: 400, status: "CONFIRMED" });
      expect([wallet.balance(), callsOf(service, "refund")]).toEqual([200, 1]);
    });

    it("that races with a rejection: exactly one of the two decisions takes effect", async () => {
      const { service, order, bizNo, approvalOf } = await withPaidOrder(start);
      const { id } = await waiting(service, bizNo);
      const [approved, rejected] = await Promise.all([
        approve(service, HAN, { id, bizNo }),
        reject(service, AN, { id }),
      ]);
      const state = (await approvalOf(id))?.state;
      expect([approved.isOk(), rejected.isOk()]).toEqual([state === "APPROVED", state === "REJECTED"]);
      expect(await refundsOf(service, order)).toHaveLength(state === "APPROVED" ? 1 : 0);
    });

    it("decides nothing if the order no longer allows a refund of the amount", async () => {
      const { service, bizNo, approvalOf } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo);
      await expectOk(refund(service, bizNo, 201));
      expect(await expectFailure(approve(service, HAN, approval))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 399,
      });
      expect(await approvalOf(approval.id)).toEqual(approval);
    });

    it("decides nothing if a program has used the number for another amount", async () => {
      const { service, bizNo, wallet, approvalOf } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      await expectOk(refund(service, bizNo, 100, "r-1"));
      const conflict = await expectFailure(approve(service, HAN, approval));
      expect(conflict).toEqual({ name: "refund-no.conflict", amount: 100 });
      expect(await approvalOf(approval.id)).toEqual(approval);
      expect(wallet.balance()).toBe(500);
    });

    it("makes no second refund if a program has made the refund in the meantime", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      await expectOk(refund(service, bizNo, 400, "r-1"));
      const { made } = await expectOk(approve(service, HAN, approval));
      expect(made).toMatchObject({ outcome: "refunded", refund: { refundNo: "r-1" } });
      expect([wallet.balance(), (await refundsOf(service, order)).length]).toEqual([200, 1]);
    });

    it("of a rejected refund fails, and its number is never used", async () => {
      const { service, order, bizNo } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      const rejected = await expectOk(reject(service, HAN, approval));
      expect(rejected).toMatchObject({ state: "REJECTED", decidedBy: "han" });
      expect(await expectFailure(approve(service, AN, approval))).toEqual({
        name: "refund-approval.decided",
      });
      expect(await expectFailure(reject(service, AN, approval))).toEqual({ name: "refund-approval.decided" });
      const again = requested(service, LI, { bizNo, refundNo: "r-1", amount: 400 });
      expect(await expectFailure(again)).toEqual({ name: "refund-approval.rejected" });
      await waiting(service, bizNo, { refundNo: "r-2" });
      expect(await refundsOf(service, order)).toEqual([]);
    });
  });
}
