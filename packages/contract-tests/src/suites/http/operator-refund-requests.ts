import type { Ports } from "@tillkit/core";
import { ResultAsync } from "neverthrow";
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
  requested,
  waiting,
  withPaidOrder,
} from "../../support/http/operator-refunds.js";
import {
  aPurchase,
  callsOf,
  created,
  onlyRefundOf,
  REJECTED,
  refund,
  refundsOf,
  timelineOf,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Tests the limits of refunds that operators request. */
export function operatorRefundRequestsContract(start: StartService): void {
  describe("a request", () => {
    it("up to the limit is refunded at once, and recorded", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const made = await expectOk(requested(service, LI, { bizNo, amount: 300 }));
      expect(made).toMatchObject({ outcome: "refunded", refund: { amount: 300, operator: "li" } });
      expect(wallet.balance()).toBe(300);
      expect(await auditedRefunds(service)).toEqual(["refund.request done li"]);
      expect(await expectOk(service.host.refundApprovals.listOfOrder(order))).toEqual([]);
    });

    it("above the limit waits: it calls no wallet, and reserves nothing", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo, { amount: 301 });
      expect(approval).toMatchObject({ state: "WAITING", amount: 301, requestedBy: "li" });
      expect([wallet.balance(), callsOf(service, "refund"), await refundsOf(service, order)]).toEqual([
        600,
        0,
        [],
      ]);
      expect((await timelineOf(service, order)).slice(2)).toMatchObject([
        { type: "REFUND_APPROVAL_REQUESTED", actor: "operator:li", refundNo: approval.refundNo },
      ]);
      expect(await auditedRefunds(service)).toEqual(["refund.request done li"]);
      expect(await expectOk(refund(service, bizNo))).toMatchObject({ amount: 600, status: "CONFIRMED" });
    });

    it.each([
      ["never waits by default", {}, 600, "refunded"],
      ["always waits with a limit of 0", { refundApprovalOver: 0 }, 1, "waiting-for-approval"],
    ] as const)("%s", async (_, policy, amount, outcome) => {
      const { service, bizNo } = await withPaidOrder(start, { policy });
      expect(await expectOk(requested(service, LI, { bizNo, amount }))).toMatchObject({ outcome });
    });

    it("waits if it exceeds the limit together with earlier refunds that had no approval", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start);
      await expectOk(requested(service, LI, { bizNo, amount: 200 }));
      await waiting(service, bizNo, { amount: 101 });
      await waiting(service, bizNo, { operator: HAN, amount: 101 });
      expect(await expectOk(requested(service, AN, { bizNo, amount: 100 }))).toMatchObject({
        outcome: "refunded",
      });
      await waiting(service, bizNo, { amount: 1 });
      expect(wallet.balance()).toBe(300);
    });

    it("does not count refunds that failed or were approved", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start);
      wallet.failNext("refund", REJECTED);
      const failed = await expectFailure(requested(service, LI, { bizNo, amount: 300 }));
      expect(failed).toMatchObject({ name: "refund.rejected" });
      await expectOk(approve(service, HAN, await waiting(service, bizNo, { amount: 301 })));
      expect(await expectOk(requested(service, LI, { bizNo, amount: 299 }))).toMatchObject({
        outcome: "refunded",
      });
      expect(wallet.balance()).toBe(0);
    });

    it("counts earlier refunds that a program or the command line made", async () => {
      const { service, bizNo } = await withPaidOrder(start);
      await expectOk(refund(service, bizNo, 300));
      await waiting(service, bizNo, { amount: 1 });
    });

    it(`does not exceed the limit by ${CONCURRENT_CALLERS} concurrent requests`, async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const results = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
          requested(service, caller % 2 === 0 ? LI : HAN, { bizNo, amount: 160 }),
        ),
      );
      expect(wallet.balance()).toBe(440);
      expect(await refundsOf(service, order)).toMatchObject([{ amount: 160, status: "CONFIRMED" }]);
      for (const result of results)
        expect(["refunded", "waiting-for-approval", "refund.unseen-activity"]).toContain(
          result.isOk() ? result.value.outcome : result.error.name,
        );
    });

    it("does not exceed the limit if another refund begins and ends after the limit was checked", async () => {
      let meanwhile = async () => {};
      const interrupted = (ports: Ports): Ports => ({
        ...ports,
        refunds: {
          ...ports.refunds,
          request: (...asked) =>
            ResultAsync.fromSafePromise(meanwhile()).andThen(() => ports.refunds.request(...asked)),
        },
      });
      const { service, order, bizNo, wallet } = await withPaidOrder(start, {
        ...OVER_300,
        ports: interrupted,
      });
      meanwhile = async () => {
        meanwhile = async () => {};
        await expectOk(requested({ ...service, ports: service.host }, HAN, { bizNo, amount: 200 }));
      };
      const late = await expectFailure(requested(service, LI, { bizNo, refundNo: "r-2", amount: 200 }));
      expect(late).toMatchObject({ name: "refund.unseen-activity" });
      expect([wallet.balance(), await refundsOf(service, order)]).toMatchObject([400, [{ amount: 200 }]]);
      await waiting(service, bizNo, { refundNo: "r-2", amount: 200 });
    });

    it("with a repeated number continues the refund, or returns the waiting approval", async () => {
      const { service, order, bizNo } = await withPaidOrder(start);
      const small = { bizNo, refundNo: "r-1", amount: 100 };
      const first = await expectOk(requested(service, LI, small));
      expect(await expectOk(requested(service, HAN, small))).toEqual(first);
      expect(await onlyRefundOf(service, order)).toMatchObject({ operator: "li" });
      const approval = await waiting(service, bizNo, { refundNo: "r-2" });
      expect(await waiting(service, bizNo, { refundNo: "r-2", operator: HAN })).toEqual(approval);
      for (const [refundNo, amount] of [
        ["r-1", 100],
        ["r-2", 400],
      ] as const) {
        const other = requested(service, LI, { bizNo, refundNo, amount: amount - 1 });
        expect(await expectFailure(other)).toEqual({ name: "refund-no.conflict", amount });
      }
      expect(callsOf(service, "refund")).toBe(1);
    });

    it("fails for an order that cannot be refunded by the amount, and asks for no approval", async () => {
      const { service, bizNo } = await withPaidOrder(start);
      expect(await expectFailure(requested(service, HAN, { bizNo, amount: 601 }))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 600,
      });
      const open = await created(service, service.demo, aPurchase());
      for (const [of, name] of [
        [open.bizNo, "order.not-paid"],
        ["none", "order.not-found"],
      ] as const)
        expect(await expectFailure(requested(service, HAN, { bizNo: of, amount: 400 }))).toEqual({ name });
      await expectOk(refund(service, bizNo));
      const late = requested(service, HAN, { bizNo, amount: 400 });
      expect(await expectFailure(late)).toEqual({ name: "order.refunded" });
      expect(await expectOk(service.host.refundApprovals.countWaiting(undefined, 10))).toBe(0);
    });
  });

  describe("the refund limit of the role support", () => {
    const limited = { policy: { supportRefundLimit: 200 } };

    it("refuses and records a larger refund, and does not apply to finance", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, limited);
      const refused = await expectFailure(requested(service, LI, { bizNo, amount: 201 }));
      expect(refused).toEqual({ name: "refund.over-support-limit" });
      expect(await expectFailure(requested(service, LI, { bizNo }))).toEqual(refused);
      expect([await auditedRefunds(service), wallet.balance()]).toEqual([
        ["refund.request refused li", "refund.request refused li"],
        600,
      ]);
      await expectOk(requested(service, LI, { bizNo, amount: 200 }));
      await expectOk(requested(service, HAN, { bizNo, amount: 400 }));
      expect(wallet.balance()).toBe(0);
    });

    it("counts earlier refunds of the order, so that a split refund does not avoid the limit", async () => {
      const { service, bizNo, wallet } = await withPaidOrder(start, limited);
      await expectOk(requested(service, LI, { bizNo, amount: 150 }));
      const second = requested(service, { ...LI, name: "bo" }, { bizNo, amount: 51 });
      expect(await expectFailure(second)).toEqual({ name: "refund.over-support-limit" });
      await expectOk(requested(service, LI, { bizNo, amount: 50 }));
      expect(wallet.balance()).toBe(400);
    });

    it("applies also to requests that need an approval", async () => {
      const { service, bizNo } = await withPaidOrder(start, {
        policy: { supportRefundLimit: 200, refundApprovalOver: 100 },
      });
      await waiting(service, bizNo, { amount: 200 });
      const larger = requested(service, LI, { bizNo, amount: 201 });
      expect(await expectFailure(larger)).toEqual({ name: "refund.over-support-limit" });
    });
  });
}
