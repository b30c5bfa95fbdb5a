import type { Order, Stores } from "@tillkit/core";
import { expireTimeOf } from "@tillkit/core/ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caseCount } from "../../../support/case-count.js";
import {
  aConfirmation,
  anEntry,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  DAY,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

/** An order with the service time that it added. */
interface Purchase {
  readonly order: Order;
  readonly grant: { readonly grantedAt: number; readonly durationMs: number };
  readonly isRefunded: boolean;
}

/** Tests `RefundStore`: the service time that a full refund removes. */
export function refundServiceTime(stores: () => Pick<Stores, "orders" | "refunds" | "services">): void {
  const days = (count: number) => ({ serviceTypeNo: "T-1", serviceName: "Member", durationMs: count * DAY });
  const buy = (onDay: number, count = 30, changes: Partial<Order> = {}) =>
    aPaidOrder(stores(), { service: days(count), ...changes }, FIXTURE_TIME + onDay * DAY);
  const refundAll = async (order: Order) => {
    const { refundNo } = await aRequestedRefund(stores(), order, { amount: order.amount });
    await expectOk(
      stores().refunds.confirm(order, refundNo, aConfirmation({ at: FIXTURE_TIME + 200 * DAY })),
    );
  };
  /** Returns when each service of a customer ends, in days after `FIXTURE_TIME`. */
  const ends = async (appId = "app_1", customerIdentity = "customer-1") => {
    const services = await expectOk(stores().services.list(appId, customerIdentity));
    return services.map(({ expireTime }) => (expireTime - FIXTURE_TIME) / DAY);
  };

  describe("confirm: revoking the service time of a refunded order", () => {
    it("keeps the service and sets its end to its beginning if no other order bought it", async () => {
      await refundAll(await buy(3));
      expect(await ends()).toEqual([3]);
      const [service] = await expectOk(stores().services.list("app_1", "customer-1"));
      expect(service?.expireTime).toBe(service?.gmtCreate);
    });

    it("keeps the later order's time from its payment if the earlier order is refunded", async () => {
      const first = await buy(0, 30);
      await buy(10, 30);
      expect(await ends()).toEqual([60]);
      await refundAll(first);
      expect(await ends()).toEqual([40]);
    });

    it("keeps the earlier order's time if the later order is refunded", async () => {
      await buy(0, 30);
      const second = await buy(10, 30);
      await refundAll(second);
      expect(await ends()).toEqual([30]);
    });

    it("does not change time that began after a gap", async () => {
      const first = await buy(0, 10);
      await buy(40, 10);
      await refundAll(first);
      expect(await ends()).toEqual([50]);
    });

    it("restores the end before a gap if the order after it is refunded", async () => {
      await buy(0, 10);
      const late = await buy(40, 10);
      await refundAll(late);
      expect(await ends()).toEqual([10]);
    });

    it("moves a later order's time to its payment if the order that bridged the gap is refunded", async () => {
      await buy(0, 10);
      const bridge = await buy(5, 30);
      await buy(30, 7);
      expect(await ends()).toEqual([47]);
      await refundAll(bridge);
      expect(await ends()).toEqual([37]);
    });

    it("revokes orders one by one in any order, until none is left", async () => {
      const orders = [await buy(0, 10), await buy(1, 20), await buy(2, 30)];
      expect(await ends()).toEqual([60]);
      for (const [index, left] of [
        [1, 40],
        [0, 32],
        [2, 0],
      ] as const) {
        await refundAll(orders[index] ?? anOrder());
        expect(await ends()).toEqual([left]);
      }
    });

    it("ends at the time that `expireTimeOf` of @tillkit/core returns, for many purchases and refunds", async () => {
      const purchase = fc.record({
        wait: fc.nat({ max: 50 }),
        count: fc.integer({ min: 1, max: 40 }),
        isRefunded: fc.boolean(),
      });
      let customers = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(purchase, { minLength: 1, maxLength: 6 }), async (purchases) => {
          customers += 1;
          const customerIdentity = `customer-of-case-${customers}`;
          const bought: Purchase[] = [];
          let day = 0;
          for (const { wait, count, isRefunded } of purchases) {
            day += wait;
            const order = await buy(day, count, { customerIdentity });
            const grant = { grantedAt: FIXTURE_TIME + day * DAY, durationMs: count * DAY };
            bought.push({ order, grant, isRefunded });
          }
          const endOf = (kept: readonly Purchase[]) =>
            ((expireTimeOf(kept.map(({ grant }) => grant)) ?? bought[0]?.grant.grantedAt ?? 0) -
              FIXTURE_TIME) /
            DAY;
          expect(await ends("app_1", customerIdentity)).toEqual([endOf(bought)]);
          for (const { order } of bought.filter(({ isRefunded }) => isRefunded).toReversed())
            await refundAll(order);
          const kept = bought.filter(({ isRefunded }) => !isRefunded);
          expect(await ends("app_1", customerIdentity)).toEqual([endOf(kept)]);
        }),
        { numRuns: caseCount({ few: 10, many: 60 }) },
      );
    });

    it("extends again after everything was revoked", async () => {
      await refundAll(await buy(0, 30));
      await buy(5, 30);
      expect(await ends()).toEqual([35]);
    });

    it("revokes nothing for a partial refund, and everything with the last part", async () => {
      const order = await buy(0, 30);
      const part = await aRequestedRefund(stores(), order, { amount: 100 });
      await expectOk(stores().refunds.confirm(order, part.refundNo, aConfirmation()));
      expect(await ends()).toEqual([30]);
      const rest = await aRequestedRefund(stores(), order, { amount: order.amount - 100 });
      await expectOk(stores().refunds.confirm(order, rest.refundNo, aConfirmation()));
      expect(await ends()).toEqual([0]);
    });

    it("does not change another type, customer or app", async () => {
      const refunded = await buy(0, 30);
      await buy(0, 31, { service: { ...days(31), serviceTypeNo: "T-2" } });
      await buy(0, 32, { customerIdentity: "customer-2" });
      await buy(0, 33, { appId: "app_2" });
      await refundAll(refunded);
      expect(await ends()).toEqual([0, 31]);
      expect(await ends("app_1", "customer-2")).toEqual([32]);
      expect(await ends("app_2")).toEqual([33]);
    });

    it("also refunds an order that bought no service", async () => {
      await buy(0, 30);
      await refundAll(await aPaidOrder(stores()));
      expect(await ends()).toEqual([30]);
    });

    it(`revokes an order once in ${CONCURRENT_CALLERS} concurrent confirmations`, async () => {
      await buy(0, 30);
      const order = await buy(0, 30);
      const { refundNo } = await aRequestedRefund(stores(), order, { amount: order.amount });
      await race(CONCURRENT_CALLERS, () => stores().refunds.confirm(order, refundNo, aConfirmation()));
      expect(await ends()).toEqual([30]);
    });

    it(`loses no time while ${CONCURRENT_CALLERS} orders of one customer are concurrently paid and refunded`, async () => {
      const half = CONCURRENT_CALLERS / 2;
      const refunded = await Promise.all(Array.from({ length: half }, () => buy(0, 30)));
      const refunds = await Promise.all(
        refunded.map((order) => aRequestedRefund(stores(), order, { amount: order.amount })),
      );
      const paid = await race(half, () =>
        stores().orders.insertOnce(anOrder({ service: days(30) }), anEntry()),
      );
      await Promise.all([
        race(half, (caller) => {
          const [order, refund] = [refunded[caller], refunds[caller]];
          return stores().refunds.confirm(order ?? anOrder(), refund?.refundNo ?? "none", aConfirmation());
        }),
        race(half, (caller) =>
          stores().orders.transition(
            paid[caller] ?? anOrder(),
            aPayment({ at: FIXTURE_TIME, extendService: { serviceNo: "S-2" } }),
          ),
        ),
      ]);
      expect(await ends()).toEqual([half * 30]);
    });
  });
}
