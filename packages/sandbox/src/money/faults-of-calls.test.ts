import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { brokenLink, type PayChannel, type PaySource, syncOrder } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { type CallFault, isDone, type WalletCall } from "../faults.js";
import {
  close,
  codeOf,
  DAY,
  faultyWallet,
  held,
  HOUR,
  MINUTE,
  openWorld,
  order,
  pass,
  read,
  reconcile,
  refund,
  SECOND,
  type World,
} from "../testing/world.js";

/** Every fault of a call, with the code at WALLET_A and the kind of 40001 at WALLET_B. */
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

/** Steps past the payment period and its margin, with reconciliations in between. */
const TO_THE_END = [31 * SECOND, 2 * HOUR + 6 * MINUTE, MINUTE, HOUR];
/** Steps that meet the schedule of a refund, also after a doubled delay. */
const LATER = [2 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 2 * HOUR];

describe.each(["WALLET_A", "WALLET_B"] as const)("at %s", (payChannel) => {
  describe.each(FAULTS)("under the fault %s", (fault, code, kind) => {
    const wallet = faultyWallet(payChannel);
    // On a busy machine the deadline may pass before the request arrives. Then it is unknown
    // whether the wallet executed the call.
    const silent = fault === "hang" || fault === "timeout" || fault === "slow";
    const told = payChannel === "WALLET_A" ? { code } : { code: 40001, kind };
    const wanted = { payChannel, paySource: "NATIVE" } as const;

    const strike = (world: World, call: WalletCall) => world.faults({ [wallet]: { [call]: fault } });
    const lift = (world: World) => world.faults({ [wallet]: null });
    /** The service with short deadlines, if the fault is silent. */
    const asking = (world: World): World => ({ ...world, ports: silent ? world.impatient : world.ports });

    it.each(CALLING[payChannel])(
      "prepare, %s: the same order is opened and paid after it",
      async (paySource) => {
        const world = await openWorld();
        await strike(world, "prepay");
        for (const bizNo of ["again", "again", "never-again"]) {
          const failure = await expectFailure(order(asking(world), bizNo, { payChannel, paySource }));
          expect({ ...failure, code: codeOf(failure) }).toMatchObject(told);
        }
        const [before, left] = [await held(world, "again"), await held(world, "never-again")];
        expect([before, left]).toMatchObject([{ paymentStatus: "PENDING" }, { paymentStatus: "PENDING" }]);
        if (!silent) expect(world.sandbox.desk.order(before.id).isOk()).toBe(isDone(fault));

        await lift(world);
        const { order: after, payload } = await expectOk(order(world, "again", { payChannel, paySource }));
        expect(after.id).toBe(before.id);
        const paid = await world.sandbox.desk.pay({ ...payload });
        expect(paid._unsafeUnwrap()).toEqual({ outTradeNo: before.id, state: "PAID", notified: true });
        expect(world.sandbox.desk.order(before.id)._unsafeUnwrap()).toMatchObject({ prepayCount: 1 });
        await pass(world, ...TO_THE_END);
        expect(await ending(world, "again")).toEqual({ status: "PAID", refunded: 0, balance: 600 });
        expect(await ending(world, "never-again")).toMatchObject({ status: "CLOSE" });
        // WALLET_A has an order from the prepay call on, so it must have closed this order.
        const there = world.sandbox.desk.order(left.id).map(({ state }) => state);
        if (payChannel === "WALLET_A") expect(there.unwrapOr("CLOSED")).toBe("CLOSED");
      },
    );

    it("query: what was paid and what was not is found out after it", async () => {
      const world = await openWorld();
      const paidId = await opened(world, "paid");
      await opened(world, "unpaid");
      await world.faults({ [wallet]: { prepay: "html" } });
      await expectFailure(order(world, "never-there", wanted));
      await world.faults({ [wallet]: { prepay: null, notify: "drop" } });
      (await world.sandbox.desk.pay(paidId))._unsafeUnwrap();
      await strike(world, "query");
      const failure = await expectFailure(syncOrder(asking(world).ports, world.appId, "paid"));
      expect({ ...failure, code: codeOf(failure) }).toMatchObject(told);
      expect(await expectOk(read(asking(world).ports, world.appId, "paid"))).toMatchObject({
        paymentStatus: "PENDING",
      });
      for (const ms of [31 * SECOND, 2 * HOUR + 6 * MINUTE, MINUTE]) {
        await world.advance(ms);
        await reconcile(asking(world).ports);
        for (const bizNo of ["paid", "unpaid", "never-there"]) {
          const { paymentStatus, nextQueryAt } = await held(world, bizNo);
          expect({ paymentStatus, goesOn: nextQueryAt !== undefined }).toEqual({
            paymentStatus: "PENDING",
            goesOn: true,
          });
        }
      }

      await lift(world);
      await pass(world, HOUR);
      expect(await ending(world, "paid")).toEqual({ status: "PAID", refunded: 0, balance: 600 });
      for (const bizNo of ["unpaid", "never-there"])
        expect(await ending(world, bizNo)).toMatchObject({ status: "CLOSE" });
    });

    it("close: the order stays open until the wallet has said that it is not", async () => {
      const world = await openWorld();
      for (const bizNo of ["by-hand", "by-time", "paid"]) {
        const id = await opened(world, bizNo);
        world.sandbox.desk.open(id)._unsafeUnwrap();
      }
      await world.faults({ [wallet]: { notify: "drop" } });
      await strike(world, "close");
      for (const bizNo of ["by-hand", "paid"]) {
        const closed = await close(asking(world).ports, world.appId, bizNo);
        // A response without a body cannot be too large, so it is valid.
        if (fault === "oversized" && payChannel === "WALLET_A") {
          expect(closed._unsafeUnwrap()).toMatchObject({ paymentStatus: "CLOSE" });
        } else {
          const failure = closed._unsafeUnwrapErr();
          expect({ ...failure, code: codeOf(failure) }).toMatchObject(told);
          expect(await held(world, bizNo)).toMatchObject({ paymentStatus: "PENDING" });
        }
      }
      // If the wallet has closed the order, the customer can no longer pay.
      const paid = await world.sandbox.desk.pay((await held(world, "paid")).id);
      if (!silent) expect(paid.isOk()).toBe(!isDone(fault));
      await world.advance(2 * HOUR + 6 * MINUTE);
      await reconcile(asking(world).ports);

      await lift(world);
      await pass(world, ...TO_THE_END);
      for (const bizNo of ["by-hand", "by-time"]) {
        expect(await ending(world, bizNo)).toMatchObject({ status: "CLOSE" });
        const { id } = await held(world, bizNo);
        expect(world.sandbox.desk.order(id)._unsafeUnwrap()).toMatchObject({ state: "CLOSED" });
      }
      expect(await ending(world, "paid")).toEqual(
        paid.isOk()
          ? { status: "PAID", refunded: 0, balance: 600 }
          : { status: "CLOSE", refunded: 0, balance: 0 },
      );
    });

    it("refund: the money goes back once, under the number it was first asked for", async () => {
      const world = await openWorld();
      await paidFor(world);
      await world.faults({ [wallet]: { notify: "drop" } });
      await strike(world, "refund");
      const failure = await expectFailure(refund(asking(world), "b", "first", 250));
      expect(codeOf(failure)).toBe(fault === "reject" ? 50009 : 50010);
      if (!silent) expect(world.sandbox.desk.balance(payChannel)).toBe(isDone(fault) ? 350 : 600);
      if (fault !== "reject") {
        const other = await expectFailure(refund(asking(world), "b", "other", 250));
        expect(codeOf(other)).toBe(50008);
        // A retry queries the wallet first, and continues the refund under its number if the wallet
        // does not know it.
        const again = await refund(asking(world), "b", "first", 250);
        if (!silent) expect(again.isOk()).toBe(isDone(fault));
        await world.advance(HOUR);
        await reconcile(asking(world).ports);
        const refundedAmount = isDone(fault) ? 250 : 0;
        if (!silent) expect(await held(world, "b")).toMatchObject({ paymentStatus: "PAID", refundedAmount });
      }

      await lift(world);
      await world.faults({ [wallet]: { notify: "drop" } });
      if (fault === "reject") await refund(world, "b", "other", 250).unwrapOr(undefined);
      await pass(world, ...LATER);
      expect(await ending(world, "b")).toEqual({ status: "PAID", refunded: 250, balance: 350 });
      await refund(world, "b", "rest").unwrapOr(undefined);
      await pass(world, ...LATER);
      expect(await ending(world, "b")).toEqual({ status: "REFUND", refunded: 600, balance: 0 });
    });

    it("queryRefund: a refused refund stays open until the wallet's book has been read", async () => {
      const world = await openWorld();
      await paidFor(world);
      await strike(world, "refundQuery");
      await world.faults({ [wallet]: { refund: { fault: "reject", times: 1 }, notify: "drop" } });
      const failure = await expectFailure(refund(asking(world), "b", "first"));
      expect(codeOf(failure)).toBe(50010);
      expect(await held(world, "b")).toMatchObject({ paymentStatus: "PAID", refundedAmount: 0 });
      expect(codeOf(await expectFailure(refund(asking(world), "b", "other")))).toBe(50008);

      await lift(world);
      await world.faults({ [wallet]: { notify: "drop" } });
      await pass(world, ...LATER);
      expect(await ending(world, "b")).toEqual({ status: "REFUND", refunded: 600, balance: 0 });
    });

    it("refund and queryRefund together: a lost answer is no second refund", async () => {
      const world = await openWorld();
      await paidFor(world);
      await world.faults({ [wallet]: { refund: { fault: "unsigned", times: 1 }, notify: "drop" } });
      await strike(world, "refundQuery");
      expect(codeOf(await expectFailure(refund(world, "b", "first", 100)))).toBe(50010);
      await world.advance(MINUTE);
      await reconcile(asking(world).ports);

      await lift(world);
      await world.faults({ [wallet]: { notify: "drop" } });
      await pass(world, ...LATER);
      expect(await ending(world, "b")).toEqual({ status: "PAID", refunded: 100, balance: 500 });
    });

    /** Creates an order and returns its id. */
    async function opened(world: World, bizNo: string): Promise<string> {
      return (await expectOk(order(world, bizNo, wanted))).order.id;
    }

    async function paidFor(world: World): Promise<void> {
      const paid = await world.sandbox.desk.pay(await opened(world, "b"));
      expect(paid._unsafeUnwrap()).toMatchObject({ notified: true });
    }
  });
});

/**
 * Returns the final state of an order in the record, with the balance of its wallet.
 *
 * Also checks that its timeline is intact and that a further day changes nothing.
 */
async function ending(world: World, bizNo: string) {
  const { ports, sandbox } = world;
  const { id, appId, paymentStatus, refundedAmount, payChannel } = await held(world, bizNo);
  const timeline = await expectOk(ports.orders.timeline({ appId, bizNo }));
  expect(brokenLink(ports.digest, id, timeline)).toBeUndefined();
  await pass(world, DAY);
  expect(await held(world, bizNo)).toMatchObject({ paymentStatus, refundedAmount });
  return { status: paymentStatus, refunded: refundedAmount, balance: sandbox.desk.balance(payChannel) };
}
