import { findTimelineBreak, type Order, type Stores } from "@tillkit/core";
import type { ErasureMark, InFlightReason } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  aConfirmation,
  anAlarm,
  anEntry,
  anOrder,
  aRefund,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
  MINUTE,
  sha256,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import {
  anApproval,
  aRefundApproval,
  approvalEntry,
  aRejection,
  decisionEntry,
} from "../../../support/refund-approval-fixture.js";
import { aPaidOrder, aRequestedRefund, requestEntry } from "../../../support/stores/paid-order.js";

const MARK: ErasureMark = { at: FIXTURE_TIME + MINUTE, actor: "operator:kim" };
const TEXTS = {
  customerName: "Li Lei",
  attachData: '{"note":"Li Lei"}',
  payerId: "oUpF8uMuAJO",
  walletOptions: { given: {}, sent: { attach: "Li Lei" } },
} as const;
const ALL = ["customerName", "attachData", "payerId", "walletOptions", "reasons"] as const;

/** Tests `CustomerDataStore`: the personal texts of an order. */
export function orderErasure(stores: () => Stores): void {
  const erase = ({ appId, bizNo }: Pick<Order, "appId" | "bizNo">) =>
    expectOk(stores().customerData.eraseOrder({ appId, bizNo }, MARK));
  const expectIntact = async (order: Order) => {
    const events = await expectOk(stores().orders.timeline(order));
    expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    return events;
  };
  /** Everything that is stored about an order. */
  const everything = async (order: Order) => ({
    order: await expectOk(stores().orders.find(order)),
    refunds: await expectOk(stores().refunds.list(order)),
    approvals: await expectOk(stores().refundApprovals.listOfOrder(order)),
    timeline: await expectOk(stores().orders.timeline(order)),
  });
  /** Stores a paid order with all texts, an ended refund and a rejected approval. */
  const aFinishedOrder = async (changes: Partial<Order> = {}): Promise<Order> => {
    const order = await aPaidOrder(stores(), { ...TEXTS, ...changes });
    const { appId, bizNo } = order;
    const refund = await aRequestedRefund(stores(), order);
    await expectOk(stores().refunds.confirm(order, refund.refundNo, aConfirmation()));
    const approval = aRefundApproval({ appId, bizNo, refundNo: unique("refund-") });
    const { refundNo } = approval;
    await expectOk(stores().refundApprovals.request(approval, approvalEntry({ refundNo })));
    const rejected = decisionEntry({ type: "REFUND_REJECTED", refundNo });
    await expectOk(stores().refundApprovals.decide(approval, aRejection(), rejected));
    return order;
  };

  describe("eraseOrder", () => {
    it("erases the texts and their salts, and keeps everything else", async () => {
      const order = await aFinishedOrder();
      const before = await everything(order);
      expect(await erase(order)).toEqual({ kind: "erase", erased: ALL });
      const after = await everything(order);
      const { customerName: _name, attachData: _data, payerId: _payer, ...others } = before.order ?? order;
      const { walletOptions: _options, ...kept } = others;
      expect(after.order).toEqual(kept);
      expect(after.refunds).toEqual(before.refunds.map((refund) => ({ ...refund, reason: "" })));
      expect(after.approvals).toEqual(before.approvals.map((one) => ({ ...one, reason: "", note: "" })));
      const events = await expectIntact(order);
      expect(events.slice(0, -1)).toEqual(
        before.timeline.map(({ reasonSalt: _salt, ...event }) => ({ ...event, reason: "" })),
      );
      expect(events.at(-1)).toMatchObject({
        type: "PERSONAL_DATA_ERASED",
        at: MARK.at,
        actor: MARK.actor,
        reason: "",
        alarm: false,
        details: JSON.stringify({ erased: ALL }),
      });
    });

    it("changes nothing the second time, and reports only texts that existed", async () => {
      const order = await aPaidOrder(stores(), { attachData: "p1" });
      await erase(order);
      const before = await everything(order);
      expect(await erase(order)).toEqual({ kind: "nothing" });
      expect(await everything(order)).toEqual(before);
      await expectOk(stores().orders.record(order, anAlarm({ reason: "Li Lei called" })));
      expect(await erase(order)).toEqual({ kind: "erase", erased: ["reasons"] });
      expect((await expectIntact(order)).map(({ reason }) => reason).join("")).toBe("");
    });

    it("accepts further events after the erasure", async () => {
      const order = await aFinishedOrder();
      await erase(order);
      await expectOk(stores().orders.record(order, anAlarm({ reason: "later" })));
      expect((await expectIntact(order)).at(-1)).toMatchObject({ reason: "later" });
    });

    it("leaves other orders, and the same bizNo of another app, as they are", async () => {
      const order = await aFinishedOrder();
      const others = [await aFinishedOrder(), await aFinishedOrder({ appId: "app_2", bizNo: order.bizNo })];
      const before = await Promise.all(others.map(everything));
      await erase(order);
      expect(await Promise.all(others.map(everything))).toEqual(before);
    });

    it("returns undefined for an unknown order", async () => {
      const { bizNo } = await aFinishedOrder();
      expect(await erase({ appId: "app_1", bizNo: unique("biz-") })).toBeUndefined();
      expect(await erase({ appId: "app_2", bizNo })).toBeUndefined();
    });

    const openStates: readonly (readonly [InFlightReason, string, () => Promise<Order>])[] = [
      [
        "payment-open",
        "a PENDING order",
        () => expectOk(stores().orders.insertOnce(anOrder(TEXTS), anEntry())),
      ],
      [
        "payment-open",
        "a closed order that the wallet is still asked about",
        async () => {
          const order = await expectOk(stores().orders.insertOnce(anOrder(TEXTS), anEntry()));
          await expectOk(stores().orders.transition(order, aClosure({ nextQueryAt: FIXTURE_TIME + MINUTE })));
          return order;
        },
      ],
      [
        "refund-open",
        "an open refund",
        async () => {
          const order = await aPaidOrder(stores(), TEXTS);
          await aRequestedRefund(stores(), order);
          return order;
        },
      ],
      [
        "approval-open",
        "a refund that waits for a second operator",
        async () => {
          const order = await aPaidOrder(stores(), TEXTS);
          const approval = aRefundApproval({ appId: order.appId, bizNo: order.bizNo });
          await expectOk(stores().refundApprovals.request(approval, approvalEntry()));
          return order;
        },
      ],
      [
        "approval-open",
        "an approved refund that is not made yet",
        async () => {
          const order = await aPaidOrder(stores(), TEXTS);
          const approval = aRefundApproval({ appId: order.appId, bizNo: order.bizNo });
          await expectOk(stores().refundApprovals.request(approval, approvalEntry()));
          await expectOk(stores().refundApprovals.decide(approval, anApproval(), decisionEntry()));
          return order;
        },
      ],
      [
        "shipment-open",
        "a paid order whose shipment is not reported yet",
        async () => {
          const order = await aPaidOrder(stores(), TEXTS);
          const entry = anEntry({ type: "SHIPMENT_REQUESTED", at: FIXTURE_TIME });
          await expectOk(stores().orders.recordShipment(order, entry, FIXTURE_TIME + MINUTE));
          return order;
        },
      ],
      [
        "events-undelivered",
        "an event that no handler has received yet",
        async () => {
          await expectOk(stores().eventDeliveries.registerHandler("handler-1", FIXTURE_TIME));
          return aPaidOrder(stores(), TEXTS);
        },
      ],
      [
        "events-undelivered",
        "a parked event",
        async () => {
          const handler = "handler-1";
          await expectOk(stores().eventDeliveries.registerHandler(handler, FIXTURE_TIME));
          const order = await aPaidOrder(stores(), TEXTS);
          const claim = { id: "claim-1", now: FIXTURE_TIME + MINUTE, lease: 1, limit: 9 };
          for (const claimed of await expectOk(stores().eventDeliveries.claimDue(handler, claim)))
            await expectOk(stores().eventDeliveries.fail(claimed, { parkedAt: FIXTURE_TIME }));
          return order;
        },
      ],
    ];
    it.each(openStates)("returns the reason %s and changes nothing for %s", async (reason, _name, open) => {
      const order = await open();
      const before = await everything(order);
      expect(await erase(order)).toEqual({ kind: "in-flight", because: [reason] });
      expect(await everything(order)).toEqual(before);
    });

    it("does not wait for an event of the same bizNo of another app", async () => {
      const order = await aPaidOrder(stores(), TEXTS);
      await expectOk(stores().eventDeliveries.registerHandler("handler-1", FIXTURE_TIME));
      await aPaidOrder(stores(), { ...TEXTS, appId: "app_2", bizNo: order.bizNo });
      expect(await erase(order)).toMatchObject({ kind: "erase" });
    });

    it("finds nothing to erase in an open order without texts", async () => {
      const order = await expectOk(stores().orders.insertOnce(anOrder(), anEntry()));
      expect(await erase(order)).toEqual({ kind: "nothing" });
    });

    it(`erases once in ${CONCURRENT_CALLERS} concurrent calls, among other events`, async () => {
      const order = await aPaidOrder(stores(), TEXTS);
      const kinds = await race(CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? stores()
              .customerData.eraseOrder(order, MARK)
              .map((done) => done?.kind)
          : stores()
              .orders.record(order, anAlarm({ reason: "", evidence: `evidence ${caller}` }))
              .map(() => undefined),
      );
      expect(kinds.filter((kind) => kind === "erase")).toHaveLength(1);
      const events = await expectIntact(order);
      expect(events.filter(({ type }) => type === "PERSONAL_DATA_ERASED")).toHaveLength(1);
      // Created, paid and erased once, and one alarm for each odd caller.
      expect(events).toHaveLength(3 + Math.floor(CONCURRENT_CALLERS / 2));
    });

    it("erases an order before or after a concurrent refund, never while the refund is open", async () => {
      const order = await aPaidOrder(stores(), TEXTS);
      const refund = aRefund({ appId: order.appId, bizNo: order.bizNo });
      const [erased] = await Promise.all([
        erase(order),
        expectOk(stores().refunds.request(refund, requestEntry())),
      ]);
      // The reason of the refund goes to the wallet, so it is stored in both cases.
      expect((await everything(order)).refunds).toMatchObject([{ reason: refund.reason }]);
      expect((await expectOk(stores().orders.find(order)))?.customerName).toBe(
        erased?.kind === "erase" ? undefined : TEXTS.customerName,
      );
      await expectIntact(order);
      await expectOk(stores().refunds.confirm(order, refund.refundNo, aConfirmation()));
      expect((await erase(order))?.kind).toBe("erase");
      expect((await everything(order)).refunds).toMatchObject([{ reason: "" }]);
      await expectIntact(order);
    });

    it("keeps the texts erased if the creation of the order is repeated", async () => {
      const order = await aPaidOrder(stores(), TEXTS);
      const [erased, ...stored] = await Promise.all([
        erase(order),
        ...Array.from({ length: 4 }, () =>
          expectOk(stores().orders.insertOnce(anOrder({ ...order, ...TEXTS }), anEntry())),
        ),
      ]);
      expect(erased?.kind).toBe("erase");
      expect(stored.map(({ id }) => id)).toEqual(stored.map(() => order.id));
      expect(await expectOk(stores().orders.find(order))).not.toHaveProperty("customerName");
    });
  });
}
