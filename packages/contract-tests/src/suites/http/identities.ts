import { describe, expect, it } from "vitest";
import type { Caller } from "../../support/http/caller.js";
import { listAt, textAt } from "../../support/http/json.js";
import { aPurchase, created, detail, paid } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Identities that become equal if they are decoded once too often, or not at all. */
const IDENTITIES = [
  ...["a", "b", "a&b", "a%26b", "a%2526b", "a&customerIdentity=b", "customerIdentity=b"],
  ...["a=b", "a+b", "a b", "a%20b", "a%2Bb", "a;b", "a/b", "a%2Fb", "a?b", "a#b", "a.json", "%", "a%zz"],
];

/** Characters that a path may contain without encoding. */
const LITERAL = /^[\w&=+;.]+$/;

/** Tests that every customer reads only their own data, whatever characters the identity has. */
export function identitiesContract(start: StartService): void {
  const numbersAt = async (caller: Caller, segment: string) => {
    const answer = await caller.get(`/customerServiceMgmt/${segment}.json`);
    expect(answer.code).toBe(0);
    return listAt(answer.data, "customerServiceList").map((one) => textAt(one, "serviceNo"));
  };

  describe("customers whose identities contain URL characters", () => {
    it("read only their own orders and services", async () => {
      const service = await start();
      const { demo, serviceTypeNo } = service;
      const orders = [];
      for (const [index, customerIdentity] of IDENTITIES.entries()) {
        const purchase = aPurchase({ customerIdentity, serviceTypeNo, serviceNo: `no-${index}` });
        const order = await created(service, demo, purchase);
        await paid(service, order);
        orders.push(order);
      }
      for (const [index, { bizNo, customerIdentity }] of orders.entries()) {
        const own = [`no-${index}`];
        expect(await numbersAt(demo, encodeURIComponent(customerIdentity)), customerIdentity).toEqual(own);
        if (LITERAL.test(customerIdentity)) expect(await numbersAt(demo, customerIdentity)).toEqual(own);
        const history = await demo.get("/history.json", { customerIdentity });
        const listed = listAt(history.data, "payOrderList").map((one) => textAt(one, "bizNo"));
        expect(listed, customerIdentity).toEqual([bizNo]);
        for (const other of orders) {
          const { code } = await detail(demo, { bizNo: other.bizNo, customerIdentity });
          expect(code, `${customerIdentity} asks for ${other.customerIdentity}`).toBe(
            other.bizNo === bizNo ? 0 : 50001,
          );
        }
      }
    });
  });
}
