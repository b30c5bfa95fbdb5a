import { aFoundException, anOrder, aRefund } from "@tillkit/contract-tests";
import type { BillException } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../read-ledger.js";
import type { OrderSnapshot } from "../read-snapshot.js";
import { auditRestore } from "./audit.js";

const refunds = [{ refundNo: "n-r1", amount: 200 }];
const there: LedgerEntry = { outTradeNo: "n", bizNo: "b", amount: 600, paid: true, refunds };
const order = anOrder({ id: "n", bizNo: "b", amount: 600, paymentStatus: "PAID", refundedAmount: 200 });
const refund = aRefund({ bizNo: "b", refundNo: "r1", amount: 200, status: "CONFIRMED" });
const events = { events: new Map([["PAID", 1]]), eventIds: [] };
const stored: OrderSnapshot = { order, refunds: [refund], ...events, whole: true };
const reported = (changes: Partial<BillException>): BillException => ({
  ...aFoundException(),
  state: "OPEN",
  gmtCreate: 0,
  openedAt: 0,
  gmtModified: 0,
  outTradeNo: "n",
  ...changes,
});

describe("the audit of a restored database", () => {
  it("accounts for money that the database has", () => {
    const { payments, refunds: paidBack, contradictions } = audit([stored], []);
    expect([payments.recorded, paidBack.recorded, contradictions]).toEqual([1, 1, []]);
    expect([payments.amountAccounted, paidBack.amountAccounted]).toEqual([600, 200]);
  });

  it("names each payment and refund that neither the database nor an exception has", () => {
    const { payments, refunds: paidBack } = audit([], []);
    expect(payments.unaccounted).toEqual(["n of 600 cents"]);
    expect(paidBack.unaccounted).toEqual(["n-r1 of 200 cents"]);
    expect(payments.amountAccounted).toBe(0);
  });

  it("accepts an exception only for the same number and amount", () => {
    const payment = reported({ kind: "PAYMENT_NOT_HERE", amountThere: 600 });
    expect(audit([], [payment]).payments.reported).toBe(1);
    expect(audit([], [{ ...payment, amountThere: 599 }]).payments.unaccounted).toHaveLength(1);
    expect(audit([], [{ ...payment, outTradeNo: "m" }]).payments.unaccounted).toHaveLength(1);
    expect(audit([], [payment]).refunds.unaccounted).toHaveLength(1);
  });

  it("does not count an unpaid order or another amount as recorded", () => {
    for (const changes of [{ paymentStatus: "PENDING" }, { amount: 599 }] as const)
      expect(audit([{ ...stored, order: { ...order, ...changes } }], []).payments.unaccounted).toHaveLength(
        1,
      );
  });

  it("takes the refunded amount of an imported order instead of its refunds", () => {
    const imported = { ...stored, refunds: [], events: new Map([["IMPORTED", 1]]) };
    expect(audit([imported], []).refunds.recorded).toBe(1);
    const partial = { ...imported, order: { ...order, refundedAmount: 199 } };
    expect(audit([partial], []).refunds.unaccounted).toHaveLength(1);
    expect(audit([{ ...stored, refunds: [] }], []).refunds.unaccounted).toHaveLength(1);
  });

  it("finds what no wallet confirms", () => {
    const unpaid = { ...there, paid: false, refunds: [] };
    expect(auditRestore({ ledger: [unpaid], snapshot: [stored], exceptions: [] }).contradictions).toEqual([
      "b: is paid here alone",
      "b: refunded more than the wallet did",
    ]);
    expect(audit([{ ...stored, whole: false }], []).contradictions).toHaveLength(1);
    expect(audit([{ ...stored, events: new Map([["PAID", 2]]) }], []).contradictions).toHaveLength(1);
    const open = { ...stored, refunds: [{ ...refund, status: "SENT" as const }] };
    expect(audit([open], []).contradictions).toEqual(["b: a refund is still open"]);
  });
});

function audit(snapshot: readonly OrderSnapshot[], exceptions: readonly BillException[]) {
  return auditRestore({ ledger: [there], snapshot, exceptions });
}
