import type { Order, Stores } from "@tillkit/core";
import type { AuditEntry } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aConfirmation,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  MINUTE,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

const LATER = FIXTURE_TIME + 5_000;

/** Tests `OrderStore`: when the shipment of a PAID order is reported, and what is recorded. */
export function orderShipments(stores: () => Pick<Stores, "orders" | "refunds" | "auditLog">): void {
  const insert = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
  const insertPaid = async ({ nextQueryAt }: { readonly nextQueryAt?: number } = { nextQueryAt: LATER }) => {
    const order = await insert({ nextQueryAt: FIXTURE_TIME });
    const planned = nextQueryAt === undefined ? {} : { nextQueryAt };
    await expectOk(stores().orders.transition(order, aPayment(planned)));
    return order;
  };
  const find = (order: Order) => expectOk(stores().orders.find(order));
  const dueIds = async (now: number) =>
    (await expectOk(stores().orders.claimDue(now, 100, MINUTE))).map(({ id }) => id);
  const types = async (order: Order) =>
    (await expectOk(stores().orders.timeline(order))).map(({ type }) => type);
  const reported = (evidence?: string) =>
    anEntry({
      type: "SHIPMENT_REPORTED",
      actor: "wallet",
      ...(evidence === undefined ? {} : { evidence }),
    });

  describe("the shipment of a PAID order", () => {
    it("is due at the time that the payment has set, and not before", async () => {
      const order = await insertPaid();
      expect(await find(order)).toMatchObject({ paymentStatus: "PAID", nextQueryAt: LATER });
      expect(await dueIds(LATER - 1)).toEqual([]);
      expect(await expectOk(stores().orders.dueSince(LATER, 10))).toStrictEqual({
        due: 1,
        oldestDueAt: LATER,
      });
      expect(await dueIds(LATER)).toEqual([order.id]);
      expect(await dueIds(LATER + MINUTE - 1)).toEqual([]);
      expect(await dueIds(LATER + MINUTE)).toEqual([order.id]);
    });

    it(`is given to one of ${CONCURRENT_CALLERS} concurrent workers`, async () => {
      const order = await insertPaid();
      const claimed = await race(CONCURRENT_CALLERS, () => stores().orders.claimDue(LATER, 10, MINUTE));
      expect(claimed.flat().map(({ id }) => id)).toEqual([order.id]);
    });

    it("is no longer due after a full refund, but still due after a partial refund", async () => {
      const [whole, part] = [await insertPaid(), await insertPaid()];
      for (const [order, amount] of [
        [whole, whole.amount],
        [part, 1],
      ] as const) {
        const refund = aRefund({ bizNo: order.bizNo, amount });
        await expectOk(
          stores().refunds.request(refund, anEntry({ type: "REFUND_REQUESTED", actor: "operator:han" })),
        );
        const entry = anEntry({ type: "REFUND_CONFIRMED", actor: "wallet", evidence: refund.refundNo });
        await expectOk(stores().refunds.confirm(refund, refund.refundNo, aConfirmation({ entry })));
      }
      expect(await find(whole)).toMatchObject({ paymentStatus: "REFUND" });
      expect(await find(whole)).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(LATER + DAY)).toEqual([part.id]);
    });
  });

  describe("scheduleShipment", () => {
    it("sets when a PAID order is reported next, and ends its reports", async () => {
      const order = await insertPaid();
      await expectOk(stores().orders.scheduleShipment(order, LATER + 9));
      expect(await dueIds(LATER + 8)).toEqual([]);
      expect(await dueIds(LATER + 9)).toEqual([order.id]);
      await expectOk(stores().orders.scheduleShipment(order, undefined));
      expect(await find(order)).not.toHaveProperty("nextQueryAt");
      expect(await dueIds(LATER + DAY)).toEqual([]);
    });

    it("does not change an order that is not PAID, unknown, or of another app", async () => {
      const open = await insert({ nextQueryAt: FIXTURE_TIME });
      const paid = await insertPaid();
      for (const key of [open, { ...paid, appId: "app_2" }, { ...paid, bizNo: unique("biz-") }])
        await expectOk(stores().orders.scheduleShipment(key, undefined));
      expect((await find(open))?.nextQueryAt).toBe(FIXTURE_TIME);
      expect((await find(paid))?.nextQueryAt).toBe(LATER);
    });

    it("is not undone by a query of the order that began before the payment", async () => {
      const order = await insertPaid();
      await expectOk(stores().orders.schedule(order, undefined));
      await expectOk(stores().orders.schedule(order, LATER + DAY));
      expect((await find(order))?.nextQueryAt).toBe(LATER);
    });
  });

  describe("recordShipment", () => {
    const record = (order: Order, evidence: string | undefined, nextAt?: number, audit?: AuditEntry) =>
      expectOk(stores().orders.recordShipment(order, reported(evidence), nextAt, audit));

    it("appends the entry and sets the time of the next report in one step", async () => {
      const order = await insertPaid();
      expect(await record(order, "end-2")).toBe(true);
      expect(await find(order)).not.toHaveProperty("nextQueryAt");
      expect(await types(order)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
      expect(await record(order, "end-3", LATER + 7)).toBe(true);
      expect((await find(order))?.nextQueryAt).toBe(LATER + 7);
    });

    it("changes nothing for an entry of the same type and evidence", async () => {
      const order = await insertPaid();
      await record(order, "end-2", LATER + 7);
      expect(await record(order, "end-2")).toBe(false);
      expect((await find(order))?.nextQueryAt).toBe(LATER + 7);
      expect(await types(order)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
      expect(await record(order, undefined)).toBe(true);
      expect(await record(order, undefined)).toBe(true);
    });

    it("changes nothing if the order is not PAID, unknown, or of another app", async () => {
      const open = await insert({ nextQueryAt: FIXTURE_TIME });
      const paid = await insertPaid();
      expect(await record(open, "end-1", LATER)).toBe(false);
      expect(await record({ ...paid, appId: "app_2" }, "end-2")).toBe(false);
      expect(await record({ ...paid, bizNo: unique("biz-") }, "end-2")).toBe(false);
      expect(await find(open)).toMatchObject({ paymentStatus: "PENDING", nextQueryAt: FIXTURE_TIME });
      expect(await types(open)).toEqual(["CREATED"]);
      expect((await find(paid))?.nextQueryAt).toBe(LATER);
      expect(await types(paid)).toEqual(["CREATED", "PAID"]);
    });

    it("appends the entry of the audit log in the same step, and no entry without a change", async () => {
      const order = await insertPaid({});
      const audit: AuditEntry = {
        at: FIXTURE_TIME,
        operator: "li",
        action: "order.report-shipment",
        subject: `order:${order.appId}/${order.bizNo}`,
        outcome: "done",
        reason: "corrected the secret",
        from: "cli",
        traceId: "",
        appId: order.appId,
      };
      expect(await record(order, "asked", LATER, audit)).toBe(true);
      expect(await record(order, "asked", LATER, audit)).toBe(false);
      const { items: logged } = await expectOk(stores().auditLog.search({ limit: 10 }));
      expect(logged.map(({ action, subject }) => ({ action, subject }))).toEqual([
        { action: audit.action, subject: audit.subject },
      ]);
    });

    it(`appends one entry in ${CONCURRENT_CALLERS} concurrent calls with the same evidence`, async () => {
      const order = await insertPaid();
      const recorded = await race(CONCURRENT_CALLERS, () =>
        stores().orders.recordShipment(order, reported("end-2"), undefined),
      );
      expect(recorded.filter(Boolean)).toHaveLength(1);
      expect(await types(order)).toEqual(["CREATED", "PAID", "SHIPMENT_REPORTED"]);
    });
  });
}
