import { expectFailure, expectOk, manyCases } from "@tillkit/contract-tests";
import { findTimelineBreak, orThrow, type PayChannel, type PaySource, syncOrder } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { type CallFault, isDone, type FaultableCall, faultyWallet } from "../faults.js";
import {
  close,
  codeOf,
  DAY,
  storedOrder,
  HOUR,
  MINUTE,
  openFixture,
  order,
  advanceInSteps,
  read,
  reconcile,
  refund,
  SECOND,
  type TestFixture,
} from "../testing/fixture.js";

/**
 * Every fault of a call, with the error code at WALLET_A and, for the code 40001 at WALLET_B, its
 * kind.
 */
const FAULTS = [
  ["hang", 30002, "unavailable"],
  ["timeout", 30002, "unavailable"],
  ["slow", 30002, "unavailable"],
  ["reset", 30002, "unavailable"],
  ["reset-after", 30002, "unavailable"],
  ["truncated", 30002, "unavailable"],
  ["429", 30002, "unavailable"],
  ["500", 30002, "unavailable"],
  ["500-after", 30002, "unavailable"],
  ["html", 30002, "unavailable"],
  ["redirect", 30003, "unavailable"],
  ["unsigned", 30003, "bad-answer"],
  ["bad-signature", 30003, "bad-answer"],
  ["retired-key", 30003, "bad-answer"],
  ["oversized", 30003, "bad-answer"],
  ["reject", 30001, "rejected"],
] as const satisfies readonly (readonly [CallFault, number, string])[];

/** The ways to pay that need a call to the wallet. */
const CALLING = {
  WALLET_A: ["APP", "NATIVE", "H5"],
  WALLET_B: ["NATIVE"],
} as const satisfies Record<PayChannel, readonly PaySource[]>;

/** Returns the ways to test under the fault at `nth`: by default one, in turn. */
const waysUnder = (nth: number, payChannel: PayChannel): readonly PaySource[] =>
  CALLING[payChannel].filter((_way, index, { length }) => manyCases() || index === nth % length);

/** Steps past the payment period and its margin, with reconciliations in between. */
const TO_THE_END = [31 * SECOND, 2 * HOUR + 6 * MINUTE, MINUTE, HOUR];
/** Steps that meet the schedule of a refund, also after a doubled delay. */
const LATER = [2 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 2 * HOUR];

/**
 * Returns the faults to test at a wallet: by default every other one.
 *
 * By default, neither wallet has `slow`. Like `hang` and `timeout`, it waits for a deadline.
 */
const faultsAt = (payChannel: PayChannel) =>
  FAULTS.filter(
    ([name], index) => manyCases() || (name !== "slow" && index % 2 === (payChannel === "WALLET_A" ? 0 : 1)),
  );

describe.each(["WALLET_A", "WALLET_B"] as const)("at %s", (payChannel) => {
  describe.each(faultsAt(payChannel))("under the fault %s", (fault, code, kind) => {
    const wallet = faultyWallet(payChannel);
    const ways = waysUnder(
      FAULTS.findIndex(([name]) => name === fault),
      payChannel,
    );
    // On a busy machine the deadline may pass before the request arrives. Then it is unknown
    // whether the wallet executed the call.
    const silent = fault === "hang" || fault === "timeout" || fault === "slow";
    const reported = payChannel === "WALLET_A" ? { code } : { code: 40001, kind };
    const wanted = { payChannel, paySource: "NATIVE" } as const;

    const strike = (fixture: TestFixture, call: FaultableCall) =>
      fixture.faults({ [wallet]: { [call]: fault } });
    const lift = (fixture: TestFixture) => fixture.faults({ [wallet]: null });
    /** The service with short deadlines, if the fault is silent. */
    const asking = (fixture: TestFixture): TestFixture => ({
      ...fixture,
      ports: silent ? fixture.impatient : fixture.ports,
    });

    it.each(ways)("prepare, %s: the same order is opened and paid afterwards", async (paySource) => {
      const fixture = await openFixture();
      await strike(fixture, "prepay");
      for (const bizNo of ["again", "again", "never-again"]) {
        const failure = await expectFailure(order(asking(fixture), bizNo, { payChannel, paySource }));
        expect({ ...failure, code: codeOf(failure) }).toMatchObject(reported);
      }
      const [before, left] = [await storedOrder(fixture, "again"), await storedOrder(fixture, "never-again")];
      expect([before, left]).toMatchObject([{ paymentStatus: "PENDING" }, { paymentStatus: "PENDING" }]);
      if (!silent) expect(fixture.sandbox.simulatorControls.order(before.id).isOk()).toBe(isDone(fault));

      await lift(fixture);
      const { order: after, payload } = await expectOk(order(fixture, "again", { payChannel, paySource }));
      expect(after.id).toBe(before.id);
      const paid = await fixture.sandbox.simulatorControls.pay(payload);
      expect(orThrow(paid)).toEqual({ outTradeNo: before.id, state: "PAID", notified: true });
      expect(orThrow(fixture.sandbox.simulatorControls.order(before.id))).toMatchObject({
        prepayCount: 1,
      });
      await advanceInSteps(fixture, ...TO_THE_END);
      expect(await ending(fixture, "again")).toEqual({ status: "PAID", refunded: 0, balance: 600 });
      expect(await ending(fixture, "never-again")).toMatchObject({ status: "CLOSE" });
      // WALLET_A has an order from the prepay call on, so it must have closed this order.
      const there = fixture.sandbox.simulatorControls.order(left.id).map(({ state }) => state);
      if (payChannel === "WALLET_A") expect(there.unwrapOr("CLOSED")).toBe("CLOSED");
    });

    it("query: paid and unpaid orders are found afterwards", async () => {
      const fixture = await openFixture();
      const paidId = await opened(fixture, "paid");
      await opened(fixture, "unpaid");
      await fixture.faults({ [wallet]: { prepay: "html" } });
      await expectFailure(order(fixture, "never-there", wanted));
      await fixture.faults({ [wallet]: { prepay: null, notify: "drop" } });
      await orThrow(fixture.sandbox.simulatorControls.pay(paidId));
      await strike(fixture, "query");
      const failure = await expectFailure(syncOrder(asking(fixture).ports, fixture.appId, "paid"));
      expect({ ...failure, code: codeOf(failure) }).toMatchObject(reported);
      expect(await expectOk(read(asking(fixture).ports, fixture.appId, "paid"))).toMatchObject({
        paymentStatus: "PENDING",
      });
      for (const ms of [31 * SECOND, 2 * HOUR + 6 * MINUTE, MINUTE]) {
        await fixture.advance(ms);
        await reconcile(asking(fixture).ports);
        for (const bizNo of ["paid", "unpaid", "never-there"]) {
          const { paymentStatus, nextQueryAt } = await storedOrder(fixture, bizNo);
          expect({ paymentStatus, goesOn: nextQueryAt !== undefined }).toEqual({
            paymentStatus: "PENDING",
            goesOn: true,
          });
        }
      }

      await lift(fixture);
      await advanceInSteps(fixture, HOUR);
      expect(await ending(fixture, "paid")).toEqual({ status: "PAID", refunded: 0, balance: 600 });
      for (const bizNo of ["unpaid", "never-there"])
        expect(await ending(fixture, bizNo)).toMatchObject({ status: "CLOSE" });
    });

    it("close: the order stays PENDING until the wallet confirms the closure", async () => {
      const fixture = await openFixture();
      for (const bizNo of ["by-hand", "by-time", "paid"]) {
        const id = await opened(fixture, bizNo);
        orThrow(fixture.sandbox.simulatorControls.open(id));
      }
      await fixture.faults({ [wallet]: { notify: "drop" } });
      await strike(fixture, "close");
      for (const bizNo of ["by-hand", "paid"]) {
        const closed = await close(asking(fixture).ports, fixture.appId, bizNo);
        // A response without a body cannot be too large, so it is valid.
        if (fault === "oversized" && payChannel === "WALLET_A") {
          expect(orThrow(closed)).toMatchObject({ paymentStatus: "CLOSE" });
        } else {
          const failure = closed._unsafeUnwrapErr();
          expect({ ...failure, code: codeOf(failure) }).toMatchObject(reported);
          expect(await storedOrder(fixture, bizNo)).toMatchObject({ paymentStatus: "PENDING" });
        }
      }
      // If the wallet has closed the order, the customer can no longer pay.
      const paid = await fixture.sandbox.simulatorControls.pay((await storedOrder(fixture, "paid")).id);
      if (!silent) expect(paid.isOk()).toBe(!isDone(fault));
      await fixture.advance(2 * HOUR + 6 * MINUTE);
      await reconcile(asking(fixture).ports);

      await lift(fixture);
      await advanceInSteps(fixture, ...TO_THE_END);
      for (const bizNo of ["by-hand", "by-time"]) {
        expect(await ending(fixture, bizNo)).toMatchObject({ status: "CLOSE" });
        const { id } = await storedOrder(fixture, bizNo);
        expect(orThrow(fixture.sandbox.simulatorControls.order(id))).toMatchObject({
          state: "CLOSED",
        });
      }
      expect(await ending(fixture, "paid")).toEqual(
        paid.isOk()
          ? { status: "PAID", refunded: 0, balance: 600 }
          : { status: "CLOSE", refunded: 0, balance: 0 },
      );
    });

    it("refund: the money is refunded once, under the first requested number", async () => {
      const fixture = await openFixture();
      await paidFor(fixture);
      await fixture.faults({ [wallet]: { notify: "drop" } });
      await strike(fixture, "refund");
      const failure = await expectFailure(refund(asking(fixture), "b", "first", 250));
      expect(codeOf(failure)).toBe(fault === "reject" ? 50009 : 50010);
      if (!silent)
        expect(fixture.sandbox.simulatorControls.balance(payChannel)).toBe(isDone(fault) ? 350 : 600);
      if (fault !== "reject") {
        const other = await expectFailure(refund(asking(fixture), "b", "other", 250));
        expect(codeOf(other)).toBe(50008);
        // A retry queries the wallet first, and continues the refund under its number if the wallet
        // does not know it.
        const again = await refund(asking(fixture), "b", "first", 250);
        if (!silent) expect(again.isOk()).toBe(isDone(fault));
        await fixture.advance(HOUR);
        await reconcile(asking(fixture).ports);
        const refundedAmount = isDone(fault) ? 250 : 0;
        if (!silent)
          expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID", refundedAmount });
      }

      await lift(fixture);
      await fixture.faults({ [wallet]: { notify: "drop" } });
      if (fault === "reject") await refund(fixture, "b", "other", 250).unwrapOr(undefined);
      await advanceInSteps(fixture, ...LATER);
      expect(await ending(fixture, "b")).toEqual({ status: "PAID", refunded: 250, balance: 350 });
      await refund(fixture, "b", "rest").unwrapOr(undefined);
      await advanceInSteps(fixture, ...LATER);
      expect(await ending(fixture, "b")).toEqual({ status: "REFUND", refunded: 600, balance: 0 });
    });

    it("queryRefund: a refused refund stays open until the wallet's record was read", async () => {
      const fixture = await openFixture();
      await paidFor(fixture);
      await strike(fixture, "refundQuery");
      await fixture.faults({ [wallet]: { refund: { fault: "reject", times: 1 }, notify: "drop" } });
      const failure = await expectFailure(refund(asking(fixture), "b", "first"));
      expect(codeOf(failure)).toBe(50010);
      expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID", refundedAmount: 0 });
      expect(codeOf(await expectFailure(refund(asking(fixture), "b", "other")))).toBe(50008);

      await lift(fixture);
      await fixture.faults({ [wallet]: { notify: "drop" } });
      await advanceInSteps(fixture, ...LATER);
      expect(await ending(fixture, "b")).toEqual({ status: "REFUND", refunded: 600, balance: 0 });
    });

    it("refund and queryRefund together: a lost response causes no second refund", async () => {
      const fixture = await openFixture();
      await paidFor(fixture);
      await fixture.faults({ [wallet]: { refund: { fault: "unsigned", times: 1 }, notify: "drop" } });
      await strike(fixture, "refundQuery");
      expect(codeOf(await expectFailure(refund(fixture, "b", "first", 100)))).toBe(50010);
      await fixture.advance(MINUTE);
      await reconcile(asking(fixture).ports);

      await lift(fixture);
      await fixture.faults({ [wallet]: { notify: "drop" } });
      await advanceInSteps(fixture, ...LATER);
      expect(await ending(fixture, "b")).toEqual({ status: "PAID", refunded: 100, balance: 500 });
    });

    /** Creates an order and returns its id. */
    async function opened(fixture: TestFixture, bizNo: string): Promise<string> {
      return (await expectOk(order(fixture, bizNo, wanted))).order.id;
    }

    async function paidFor(fixture: TestFixture): Promise<void> {
      const paid = await fixture.sandbox.simulatorControls.pay(await opened(fixture, "b"));
      expect(orThrow(paid)).toMatchObject({ notified: true });
    }
  });
});

/**
 * Returns the final state of an order at Tillkit, with the balance of its wallet.
 *
 * Also checks that its timeline is intact and that a further day changes nothing.
 */
async function ending(fixture: TestFixture, bizNo: string) {
  const { ports, sandbox } = fixture;
  const { id, appId, paymentStatus, refundedAmount, payChannel } = await storedOrder(fixture, bizNo);
  const timeline = await expectOk(ports.orders.timeline({ appId, bizNo }));
  expect(findTimelineBreak(ports.digest, id, timeline)).toBeUndefined();
  await advanceInSteps(fixture, DAY);
  expect(await storedOrder(fixture, bizNo)).toMatchObject({ paymentStatus, refundedAmount });
  return {
    status: paymentStatus,
    refunded: refundedAmount,
    balance: sandbox.simulatorControls.balance(payChannel),
  };
}
