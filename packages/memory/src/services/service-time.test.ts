import {
  aConfirmation,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  FIXTURE_TIME,
  expectOk,
} from "@tillkit/contract-tests";
import type { Order } from "@tillkit/core";
import { expireTimeOf, type ServiceGrant } from "@tillkit/core/ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStores } from "../stores/memory-stores.js";

const purchases = fc.array(
  fc.record({
    wait: fc.nat({ max: 50 }),
    durationMs: fc.integer({ min: 1, max: 40 }),
    refunded: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** Creates grants whose times never decrease, like those of a clock. */
function grantsOf(
  bought: readonly { readonly wait: number; readonly durationMs: number }[],
): readonly ServiceGrant[] {
  let grantedAt = FIXTURE_TIME;
  return bought.map(({ wait, durationMs }) => {
    grantedAt += wait;
    return { grantedAt, durationMs };
  });
}

describe("a service made of paid and refunded orders", () => {
  it("has the end that it would have if the refunded orders had never been paid, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(purchases, fc.infiniteStream(fc.nat()), async (bought, shuffle) => {
        const { orders, refunds, services } = memoryStores();
        const grants = grantsOf(bought);
        const toRefund: Order[] = [];
        for (const [index, { grantedAt, durationMs }] of grants.entries()) {
          const service = { serviceTypeNo: "T", serviceName: "Member", durationMs };
          const order = await expectOk(orders.insertOnce(anOrder({ service }), anEntry()));
          const change = aPayment({ at: grantedAt, extendService: { serviceNo: "S" } });
          await expectOk(orders.transition(order, change));
          if (bought[index]?.refunded === true) toRefund.push(order);
        }
        while (toRefund.length > 0) {
          const pick = (shuffle.next().value ?? 0) % toRefund.length;
          for (const { bizNo, amount } of toRefund.splice(pick, 1)) {
            const refund = aRefund({ bizNo, amount });
            await expectOk(refunds.request(refund, anEntry()));
            await expectOk(refunds.confirm(refund, refund.refundNo, aConfirmation()));
          }
        }
        const kept = grants.filter((_, index) => bought[index]?.refunded === false);
        const expected = bought.length === 0 ? [] : [expireTimeOf(kept) ?? grants[0]?.grantedAt];
        const listed = await expectOk(services.list("app_1", "customer-1"));
        expect(listed.map(({ expireTime }) => expireTime)).toEqual(expected);
      }),
    );
  });
});
