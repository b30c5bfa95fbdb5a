import { parseInput, PAY_CHANNELS } from "@tillkit/core";
import { dryRunRefund, dryRunRefundInput } from "@tillkit/core/operators";
import { outRefundNo } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import { LI, OVER_300, requested, waiting, withPaidOrder } from "../../support/http/operator-refunds.js";
import { callsOf, refund, storedOrder, timelineOf, UNKNOWN } from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

/** Tests what an operator sees before a refund. */
export function refundDryRunsContract(start: StartService): void {
  describe.each(PAY_CHANNELS)("a dry run at %s", (payChannel) => {
    const dryRun = ({ ports, demo }: Service, raw: object) =>
      parseInput(dryRunRefundInput(ports.policy), { ...raw }).asyncAndThen((input) =>
        dryRunRefund(ports, demo.appId, input),
      );

    it("shows the request of the wallet, and changes nothing", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start, OVER_300, payChannel);
      const before = await timelineOf(service, order);
      const shown = await expectOk(dryRun(service, { bizNo, refundNo: "r-1", amount: 250, reason: "late" }));
      expect(shown).toMatchObject({ amount: 250, remaining: 600, remainingAfter: 350, needsApproval: false });
      expect(shown.walletRequest?.body).toContain(outRefundNo(order, { refundNo: "r-1" }));
      expect(shown.walletRequest?.body).toContain("late");
      const whole = await expectOk(dryRun(service, { bizNo, refundNo: "r-1" }));
      expect(whole).toMatchObject({ amount: 600, remainingAfter: 0, needsApproval: true });
      expect(await timelineOf(service, order)).toEqual(before);
      expect([wallet.balance(), callsOf(service, "refund"), callsOf(service, "queryRefund")]).toEqual([
        600, 0, 0,
      ]);
    });

    it("shows a stored refund and a waiting approval as they are", async () => {
      const { service, bizNo } = await withPaidOrder(start, OVER_300, payChannel);
      await expectOk(requested(service, LI, { bizNo, refundNo: "r-1", amount: 100 }));
      await waiting(service, bizNo, { refundNo: "r-2" });
      const stored = { amount: 100, remaining: 500, remainingAfter: 500, needsApproval: false };
      expect(await expectOk(dryRun(service, { bizNo, refundNo: "r-1" }))).toMatchObject(stored);
      const approval = { amount: 400, remaining: 500, remainingAfter: 100, needsApproval: true };
      expect(await expectOk(dryRun(service, { bizNo, refundNo: "r-2" }))).toMatchObject(approval);
      const other = dryRun(service, { bizNo, refundNo: "r-1", amount: 99 });
      expect(await expectFailure(other)).toEqual({ name: "refund-no.conflict", amount: 100 });
    });

    it("fails like the refund", async () => {
      const { service, order, bizNo, wallet } = await withPaidOrder(start, OVER_300, payChannel);
      const tooMuch = dryRun(service, { bizNo, refundNo: "r-1", amount: 601 });
      expect(await expectFailure(tooMuch)).toEqual({ name: "refund.exceeds-remaining", remaining: 600 });
      wallet.failNext("refund", UNKNOWN, "before");
      await expectFailure(refund(service, bizNo, 100));
      const second = dryRun(service, { bizNo, refundNo: "r-1", amount: 100 });
      expect(await expectFailure(second)).toEqual({ name: "refund.in-progress" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 0 });
    });
  });
}
