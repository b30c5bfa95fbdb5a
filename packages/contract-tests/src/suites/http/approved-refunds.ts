import { type Ports, reconcileOrders } from "@tillkit/core";
import { acknowledgeAlarm } from "@tillkit/core/operators";
import { openAlarms } from "@tillkit/core/ports";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../support/fixtures.js";
import { decisionEntry } from "../../support/refund-approval-fixture.js";
import { expectFailure, expectOk, race } from "../../support/open-before-each.js";
import {
  AN,
  approve,
  HAN,
  LI,
  OVER_300,
  requested,
  waiting,
  withPaidOrder,
} from "../../support/http/operator-refunds.js";
import {
  callsOf,
  onlyRefundOf,
  refund,
  refundsOf,
  timelineOf,
  UNKNOWN,
  withdraw,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Tests that an approved refund is made once, despite failures and dying processes. */
export function approvedRefundsContract(start: StartService): void {
  describe("an approved refund", () => {
    /** Stores the approval of a refund, like a process that dies before it makes the refund. */
    const approvedOnly = async () => {
      const fixture = await withPaidOrder(start);
      const { service, bizNo } = fixture;
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      const { clock, policy, refundApprovals } = service.ports;
      const at = clock.now();
      const to = { state: "APPROVED", nextTryAt: at + policy.workLease } as const;
      await expectOk(
        refundApprovals.decide(
          approval,
          { operator: "han", note: "checked", at, coolingOff: 0, to },
          decisionEntry({ at, refundNo: approval.refundNo }),
        ),
      );
      return { ...fixture, approval };
    };

    it("is made by the reconciler if the process died after the decision", async () => {
      const { service, order, wallet, approval, approvalOf } = await approvedOnly();
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
      expect(await refundsOf(service, order)).toEqual([]);
      service.host.clock.advance(service.ports.policy.workLease);
      await race(4, () => reconcileOrders(service.ports));
      expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo: "r-1", status: "CONFIRMED" });
      expect([wallet.balance(), callsOf(service, "refund")]).toEqual([200, 1]);
      expect(await approvalOf(approval.id)).not.toHaveProperty("nextTryAt");
      service.host.clock.advance(DAY);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    });

    it.each([
      ["another approval", true],
      ["a repeated request", false],
    ] as const)("is made by %s, and not again by the reconciler", async (_, byApproval) => {
      const { service, wallet, approval, approvalOf } = await approvedOnly();
      const repeat = { bizNo: approval.bizNo, refundNo: "r-1", amount: 400 };
      for (const _again of [1, 2])
        if (byApproval) await expectOk(approve(service, AN, approval));
        else await expectOk(requested(service, LI, repeat));
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect([wallet.balance(), callsOf(service, "refund")]).toEqual([200, 1]);
      expect(await approvalOf(approval.id)).toMatchObject({ state: "APPROVED", decidedBy: "han" });
    });

    it("is made once if the process died before it stored that it was made", async () => {
      const forgetful = (ports: Ports): Ports => ({
        ...ports,
        refundApprovals: {
          ...ports.refundApprovals,
          end: () => errAsync({ name: "storage.unavailable", cause: undefined }),
        },
      });
      const { service, bizNo, wallet, approvalOf } = await withPaidOrder(start, {
        ...OVER_300,
        ports: forgetful,
      });
      const approval = await waiting(service, bizNo);
      await expectOk(approve(service, HAN, approval));
      expect(await approvalOf(approval.id)).toHaveProperty("nextTryAt");
      service.host.clock.advance(DAY);
      const { host } = service;
      expect(await expectOk(reconcileOrders(host))).toMatchObject({ refunds: 1 });
      expect([wallet.balance(), callsOf(service, "refund")]).toEqual([200, 1]);
      expect(await approvalOf(approval.id)).not.toHaveProperty("nextTryAt");
    });

    it.each([
      [{ name: "storage.unavailable" }],
      [{ name: "storage.misconfigured", remedy: "Grant insert." }],
    ] as const)("is made later if its storage fails with %o", async (failure) => {
      let broken = false;
      const failing = (ports: Ports): Ports => {
        const request: Ports["refunds"]["request"] = (refund, entry) =>
          broken ? errAsync(failure) : ports.refunds.request(refund, entry);
        return { ...ports, refunds: { ...ports.refunds, request } };
      };
      const { service, bizNo, wallet, approvalOf } = await withPaidOrder(start, {
        ...OVER_300,
        ports: failing,
      });
      const approval = await waiting(service, bizNo);
      broken = true;
      expect(await expectFailure(approve(service, HAN, approval))).toEqual(failure);
      expect(await approvalOf(approval.id)).toHaveProperty("nextTryAt");
      broken = false;
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect([wallet.balance(), callsOf(service, "refund")]).toEqual([200, 1]);
      expect(await approvalOf(approval.id)).not.toHaveProperty("nextTryAt");
    });

    it("with an unknown outcome is continued under its number", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      const approval = await waiting(service, bizNo);
      wallet.failNext("refund", UNKNOWN, "after");
      const first = await expectOk(approve(service, HAN, approval));
      expect(first.made).toMatchObject({ outcome: "unknown", refund: { status: "SENT" } });
      const second = await expectOk(approve(service, AN, approval));
      expect(second.made).toMatchObject({ outcome: "refunded" });
      expect([wallet.balance(), await refundsOf(service, order)]).toMatchObject([200, [{ amount: 400 }]]);
    });

    it("waits for another refund in progress, and is made afterwards", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      wallet.failNext("refund", UNKNOWN, "after");
      await expectFailure(refund(service, bizNo, 100));
      const approval = await waiting(service, bizNo);
      const decision = await expectOk(approve(service, HAN, approval));
      expect(decision.approval).toMatchObject({ state: "APPROVED" });
      expect(decision).not.toHaveProperty("made");
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect(await refundsOf(service, order)).toMatchObject([{ amount: 100 }, { amount: 400 }]);
      expect(wallet.balance()).toBe(100);
    });

    it("that can no longer be made is given up, and the approval stores the failure", async () => {
      const { service, bizNo, wallet, approval, approvalOf } = await approvedOnly();
      await expectOk(refund(service, bizNo));
      service.host.clock.advance(DAY);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 1 });
      const given = await approvalOf(approval.id);
      expect(given).toMatchObject({ state: "APPROVED", failure: "order.refunded" });
      expect(given).not.toHaveProperty("nextTryAt");
      expect(wallet.balance()).toBe(0);
      service.host.clock.advance(DAY);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    });

    it("that was given up is tried again after another approval, until it is made", async () => {
      const { service, order, bizNo, wallet, approval, approvalOf } = await approvedOnly();
      // Another refund reserves the money, so that too little is left for the approved refund.
      wallet.setOutOfFunds(true);
      await expectOk(refund(service, bizNo, 300, "r-2"));
      service.host.clock.advance(MINUTE);
      await expectOk(reconcileOrders(service.ports));
      expect(await approvalOf(approval.id)).toMatchObject({ failure: "refund.exceeds-remaining" });
      service.host.clock.advance(DAY);
      await expectOk(withdraw(service, bizNo, "r-2"));
      wallet.setOutOfFunds(false);
      wallet.failNext("refund", UNKNOWN, "after");
      await expectFailure(refund(service, bizNo, 100, "r-3"));
      // Nothing is made yet: the reconciler makes the refund after the other refund has ended.
      expect(await expectOk(approve(service, AN, approval))).not.toHaveProperty("made");
      expect(await approvalOf(approval.id)).toHaveProperty("nextTryAt");
      for (let days = 0; days < 3; days += 1) {
        service.host.clock.advance(DAY);
        await expectOk(reconcileOrders(service.ports));
      }
      expect(wallet.balance()).toBe(100);
      expect(await refundsOf(service, order)).toMatchObject([
        { refundNo: "r-2", status: "WITHDRAWN" },
        { refundNo: "r-3", status: "CONFIRMED" },
        { refundNo: "r-1", status: "CONFIRMED" },
      ]);
      const made = await approvalOf(approval.id);
      expect(made).not.toHaveProperty("nextTryAt");
      expect(made).not.toHaveProperty("failure");
    });

    it("that cannot be made a second time raises a second alarm", async () => {
      const { service, order, bizNo, wallet, approval, approvalOf } = await approvedOnly();
      wallet.setOutOfFunds(true);
      await expectOk(refund(service, bizNo, 300, "r-2"));
      service.host.clock.advance(MINUTE);
      await expectOk(reconcileOrders(service.ports));
      const by = { operator: "han", reason: "seen", from: "192.0.2.1", traceId: "trace" };
      await expectOk(acknowledgeAlarm(service.ports, order, by));
      service.host.clock.advance(MINUTE);
      await expectOk(withdraw(service, bizNo, "r-2"));
      wallet.setOutOfFunds(false);
      wallet.failNext("refund", UNKNOWN, "after");
      await expectFailure(refund(service, bizNo, 300, "r-3"));
      await expectOk(approve(service, AN, approval));
      for (let days = 0; days < 3; days += 1) {
        service.host.clock.advance(DAY);
        await expectOk(reconcileOrders(service.ports));
      }
      expect(await approvalOf(approval.id)).toMatchObject({ failure: "refund.exceeds-remaining" });
      expect(openAlarms(await timelineOf(service, order))).toMatchObject([
        { type: "REFUND_NOT_MADE", refundNo: "r-1" },
      ]);
    });

    it("that still waits for another refund after `policy.refundOverdue` raises one alarm", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start);
      wallet.failNext("refund", UNKNOWN, "before");
      await expectFailure(refund(service, bizNo, 100, "r-2"));
      const approval = await waiting(service, bizNo, { refundNo: "r-1" });
      await expectOk(approve(service, HAN, approval));
      for (let days = 0; days < 10; days += 1) {
        service.host.clock.advance(DAY);
        for (const method of ["queryRefund", "queryRefund"] as const) wallet.failNext(method, UNKNOWN);
        await expectOk(reconcileOrders(service.ports));
      }
      const alarms = (await timelineOf(service, order)).filter(({ alarm }) => alarm);
      expect(alarms.map(({ type, refundNo }) => [type, refundNo])).toEqual([
        ["REFUND_OVERDUE", "r-2"],
        ["REFUND_OVERDUE", "r-1"],
      ]);
    });
  });
}
