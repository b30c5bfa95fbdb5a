import { findTimelineBreak, orThrow, type PayChannel, syncOrder } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { caseCount, expectOk } from "@tillkit/contract-tests";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formOf, forgeWalletANotification, decryptWalletA } from "../testing/notifications.js";
import { faultyWallet } from "../faults.js";
import {
  DAY,
  close,
  storedOrder,
  HOUR,
  MINUTE,
  openFixture,
  order,
  advanceInSteps,
  read,
  refund,
  SECOND,
  type TestFixture,
} from "../testing/fixture.js";

/** The events that may happen to an order, any number of times and in any order. */
const EVENTS = {
  /** The wallet notifies that the order is paid, possibly again. */
  notify: "notify",
  /** The wallet notifies of one of two refunds. */
  "told-1": "told-1",
  "told-2": "told-2",
  /** An operator refunds one of two parts. */
  "refund-1": "refund-1",
  "refund-2": "refund-2",
  /** An operator queries the wallet, a caller reads, an operator closes, a caller creates again. */
  poll: "poll",
  read: "read",
  close: "close",
  create: "create",
  /** Half a minute passes and two workers reconcile; or the whole payment period passes. */
  reconcile: "reconcile",
  expire: "expire",
  /** The responses to the next refund and the next query are lost. */
  lose: "lose",
} as const;
type Event = keyof typeof EVENTS;

/** Generates groups of events. The events of one group happen concurrently. */
function schedules(...events: readonly Event[]) {
  const group = fc.array(fc.constantFrom(...events), { minLength: 1, maxLength: 3 });
  return fc.array(group, { minLength: 1, maxLength: 7 });
}

const RUNS = caseCount({ few: 8, many: 25 });

describe.each(["WALLET_A", "WALLET_B"] as const)("at %s, for any sequence of events", (payChannel) => {
  it("an order that was paid and refunded in two parts ends in one state", async () => {
    const fixture = await openFixture();
    fixture.hold(true);
    const schedule = schedules(...Object.values(EVENTS));
    await fc.assert(
      fc.asyncProperty(schedule, fc.constantFrom(100, 400), async (groups, second) => {
        const scenario = await begun(fixture, payChannel, [200, second]);
        await scenario.pay(false);
        await scenario.play(groups);
        await scenario.play([["notify"]]);
        await scenario.refundAll();
        await scenario.play([["told-1", "told-2"], ["expire"], ["told-2", "notify", "told-1"]]);
        const whole = second === 400;
        expect(await scenario.end()).toEqual({
          status: whole ? "REFUND" : "PAID",
          refunded: 200 + second,
          refunds: [200, second].map((amount) => `${amount} CONFIRMED`),
          // The granted service time, in days from the payment.
          granted: whole ? 0 : 30,
          atWallet: 600 - 200 - second,
          timeline: [
            "CREATED",
            "PAID",
            ...(whole ? ["REFUNDED"] : []),
            "REFUND_CONFIRMED",
            "REFUND_CONFIRMED",
            "REFUND_REQUESTED",
            "REFUND_REQUESTED",
            "REFUND_SENT",
            "REFUND_SENT",
          ].sort(),
          alarms: [],
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("an unpaid order is closed once, in Tillkit and at the wallet", async () => {
    const fixture = await openFixture();
    fixture.hold(true);
    const schedule = schedules("poll", "read", "close", "create", "reconcile", "expire", "lose");
    await fc.assert(
      fc.asyncProperty(schedule, fc.boolean(), async (groups, looked) => {
        const scenario = await begun(fixture, payChannel, []);
        if (looked) scenario.look();
        await scenario.play(groups);
        await scenario.play([["expire"]]);
        expect(await scenario.end()).toEqual({
          status: "CLOSE",
          refunded: 0,
          refunds: [],
          granted: 0,
          atWallet: 0,
          timeline: ["CLOSED", "CREATED"],
          alarms: [],
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("an order that was paid too late still becomes PAID, with an alarm if it had been closed", async () => {
    const fixture = await openFixture();
    fixture.hold(true);
    const schedule = schedules("poll", "read", "close", "create", "reconcile", "expire", "lose");
    const after = schedules("notify", "poll", "read", "close", "create", "reconcile", "expire", "lose");
    await fc.assert(
      fc.asyncProperty(schedule, after, async (groups, then) => {
        const scenario = await begun(fixture, payChannel, []);
        await scenario.play(groups);
        const late = (await storedOrder(fixture, scenario.bizNo)).paymentStatus === "CLOSE";
        await scenario.pay(true);
        await scenario.play(then);
        await scenario.play([["notify", "notify"]]);
        const end = await scenario.end();
        expect(end).toMatchObject({ status: "PAID", refunded: 0, granted: 30, atWallet: 600 });
        expect([end.timeline, end.alarms]).toEqual(
          late ? [["CLOSED", "CREATED", "LATE_PAYMENT"], ["LATE_PAYMENT"]] : [["CREATED", "PAID"], []],
        );
      }),
      { numRuns: RUNS },
    );
  });
});

let scenarios = 0;

/** Creates an order and returns the events that can happen to it. */
async function begun(fixture: TestFixture, payChannel: PayChannel, parts: readonly number[]) {
  const { ports, appId, sandbox, serviceTypeNo } = fixture;
  scenarios += 1;
  const bizNo = `story-${scenarios}`;
  const wanted = { payChannel, paySource: "APP", serviceTypeNo } as const;
  const { order: made } = await expectOk(order(fixture, bizNo, wanted));
  const balanceBefore = sandbox.simulatorControls.balance(payChannel);
  const requests = new Set<number>();

  async function requestPart(part: number): Promise<void> {
    const amount = parts[part];
    if (amount === undefined || requests.has(part)) return;
    requests.add(part);
    const outcome = await refund(fixture, bizNo, `part-${part}`, amount);
    const notStored = ["order.not-paid", "refund.in-progress"];
    if (outcome.isErr() && notStored.includes(outcome.error.name)) requests.delete(part);
    else await fixture.advance(SECOND);
  }

  async function post(matches: (facts: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
    const found = fixture.sent.findLast((delivery) => {
      const facts = payChannel === "WALLET_A" ? decryptWalletA(delivery) : formOf(delivery);
      return facts["out_trade_no"] === made.id && matches(facts);
    });
    if (found === undefined) return;
    // A wallet signs every attempt anew.
    await fixture.post(
      payChannel === "WALLET_A" ? await forgeWalletANotification(found, { at: sandbox.clock.now() }) : found,
    );
  }

  async function reportedEvents(part: number): Promise<void> {
    const refundNo = outRefundNo(made, { refundNo: `part-${part}` });
    await post((facts) => facts["out_refund_no"] === refundNo || facts["out_biz_no"] === refundNo);
  }

  const happen: Readonly<Record<Event, () => Promise<unknown>>> = {
    notify: () => post((facts) => facts["out_refund_no"] === undefined && facts["out_biz_no"] === undefined),
    "told-1": () => reportedEvents(0),
    "told-2": () => reportedEvents(1),
    "refund-1": () => requestPart(0),
    "refund-2": () => requestPart(1),
    poll: async () => (await syncOrder(ports, appId, bizNo)).isOk(),
    read: async () => (await read(ports, appId, bizNo)).isOk(),
    close: async () => (await close(ports, appId, bizNo)).isOk(),
    create: async () => (await order(fixture, bizNo, wanted)).isOk(),
    reconcile: () => advanceInSteps(fixture, 31 * SECOND),
    expire: () => advanceInSteps(fixture, 2 * HOUR + 6 * MINUTE),
    lose: () => {
      const lost = { fault: "bad-signature", times: 1 } as const;
      return fixture.faults({ [faultyWallet(payChannel)]: { refund: lost, query: lost } });
    },
  };

  return {
    bizNo,
    look: () => void orThrow(sandbox.simulatorControls.open(made.id)),
    pay: async (late: boolean) => {
      expect(await orThrow(sandbox.simulatorControls.pay(made.id, { late }))).toMatchObject({
        state: "PAID",
      });
    },
    play: async (groups: readonly (readonly Event[])[]) => {
      for (const group of groups) await Promise.all(group.map((event) => happen[event]()));
      // The outcome must be found without another lost response.
      await fixture.faults({ [faultyWallet(payChannel)]: null });
    },
    /** Requests the refunds that have not happened yet. */
    refundAll: async () => {
      for (const part of parts.keys()) {
        // A refund with a lost response is queried again after an hour, and later after two days.
        await advanceInSteps(fixture, HOUR, DAY, DAY);
        await requestPart(part);
      }
      await advanceInSteps(fixture, MINUTE);
    },
    end: async () => {
      await advanceInSteps(fixture, HOUR, DAY);
      const { paymentStatus, refundedAmount } = await storedOrder(fixture, bizNo);
      const timeline = await expectOk(ports.orders.timeline({ appId, bizNo }));
      expect(findTimelineBreak(ports.digest, made.id, timeline)).toBeUndefined();
      const evidence = timeline.find(({ type }) => type === "PAID" || type === "LATE_PAYMENT");
      const paid = paymentStatus === "PAID" || paymentStatus === "REFUND";
      expect(evidence?.evidence !== undefined).toBe(paid);
      expect(refundedAmount).toBeLessThanOrEqual(made.amount);
      const refunds = await expectOk(ports.refunds.list({ appId, bizNo }));
      const [service] = await expectOk(ports.services.list(appId, `of-${bizNo}`));
      const start = evidence?.at ?? 0;
      return {
        status: paymentStatus,
        refunded: refundedAmount,
        refunds: refunds
          .map(({ amount, status }) => `${amount} ${status}`)
          .sort(
            (left, right) => parts.indexOf(Number.parseInt(left)) - parts.indexOf(Number.parseInt(right)),
          ),
        granted: service === undefined ? 0 : Math.max(0, (service.expireTime - start) / DAY),
        atWallet: sandbox.simulatorControls.balance(payChannel) - balanceBefore,
        timeline: timeline.map(({ type }) => type).sort(),
        alarms: timeline.filter(({ alarm }) => alarm).map(({ type }) => type),
      };
    },
  };
}
