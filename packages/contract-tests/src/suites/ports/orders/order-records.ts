import type { OrderKey, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aFullOrder,
  anEntry,
  anId,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Tests `OrderStore`: creating and reading orders. */
export function orderRecords(stores: () => Pick<Stores, "orders">): void {
  const insert = (order = anOrder()) => expectOk(stores().orders.insertOnce(order, anEntry()));

  describe("insertOnce", () => {
    it("stores an order with every member exactly as given", async () => {
      const order = aFullOrder();
      expect(await insert(order)).toEqual(order);
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
      expect(await expectOk(stores().orders.findById(order.id))).toEqual(order);
    });

    it("stores an order without its optional members, and they stay absent", async () => {
      const order = anOrder();
      expect(await insert(order)).toStrictEqual(order);
      expect(await expectOk(stores().orders.find(order))).toStrictEqual(order);
    });

    it("stores unusual text byte for byte", async () => {
      const order = aFullOrder({
        bizNo: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
        goodsTitle: `😀 ${UNUSUAL_TEXT}`,
        customerIdentity: UNUSUAL_TEXT,
        customerName: UNUSUAL_TEXT,
        payerId: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
        serviceNo: UNUSUAL_TEXT,
        service: { serviceTypeNo: UNUSUAL_TEXT, serviceName: UNUSUAL_TEXT, durationMs: 1 },
        notifyUrl: "https://pay.example/notify/%E4%BC%9A?a='b'&c=\\",
        returnUrl: "https://elsewhere.example/return/%E4%BC%9A?a='b'&c=\\",
        prepayment: {
          issuedAt: FIXTURE_TIME,
          validUntil: FIXTURE_TIME + 1,
          values: { [UNUSUAL_TEXT]: UNUSUAL_TEXT, empty: "" },
        },
      });
      await insert(order);
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });

    it.each([
      ["a JSON object, its white space, key order and duplicate keys", '{ "b":1 ,"a": 2,\n"b" :3}'],
      ["an integer of twenty digits", '{"n":12345678901234567890}'],
      ["a JSON scalar", "7"],
      ["the text null", "null"],
      ["the empty text", ""],
      ["text that is not JSON", UNUSUAL_TEXT],
      ["4 096 bytes", "会".repeat(1_365) + "x"],
    ])("stores attachData that is %s", async (_, attachData) => {
      const order = anOrder({ attachData });
      await insert(order);
      expect((await expectOk(stores().orders.find(order)))?.attachData).toBe(attachData);
    });

    it("stores options, their texts and the order of their members, exactly as given", async () => {
      const sent = {
        support_fapiao: false,
        settle_info: { profit_sharing: true },
        scene_info: { store_info: { id: "1", address: UNUSUAL_TEXT, name: "" } },
        limit_pay: ["no_credit", "no_balance"],
        passback_params: UNUSUAL_TEXT,
        extend_params: { hb_fq_seller_percent: "0", hb_fq_num: "3" },
      };
      const order = anOrder({ walletOptions: { given: {}, sent } });
      expect(await insert(order)).toEqual(order);
      const stored = await expectOk(stores().orders.find(order));
      expect(stored?.walletOptions).toEqual({ given: {}, sent });
      expect(stored?.walletOptions?.sent.limit_pay).toEqual(["no_credit", "no_balance"]);
    });

    it.each([1, 2_147_483_648, 9_999_999_999, 10_000_000_000])(
      "stores an amount of %d cents",
      async (amount) => {
        const order = anOrder({ amount });
        await insert(order);
        expect((await expectOk(stores().orders.find(order)))?.amount).toBe(amount);
      },
    );

    it("stores times to the millisecond", async () => {
      const times = {
        gmtCreate: FIXTURE_TIME + 1,
        gmtModified: FIXTURE_TIME + 999,
        expiresAt: FIXTURE_TIME + 1_001,
        nextQueryAt: FIXTURE_TIME + 7,
      };
      const order = anOrder(times);
      await insert(order);
      expect(await expectOk(stores().orders.find(order))).toMatchObject(times);
    });

    it("returns the existing order with its appId and bizNo, without a change", async () => {
      const first = await insert();
      const again = anOrder({ bizNo: first.bizNo, amount: 900 });
      expect(await insert(again)).toEqual(first);
      expect(await expectOk(stores().orders.find(first))).toEqual(first);
      expect(await expectOk(stores().orders.findById(again.id))).toBeUndefined();
      expect(await expectOk(stores().orders.timeline(first))).toHaveLength(1);
    });

    it("returns the order in its current status", async () => {
      const order = await insert();
      const paid = await expectOk(stores().orders.transition(order, aPayment()));
      expect(await insert(anOrder({ bizNo: order.bizNo }))).toEqual(paid?.order);
    });

    it("treats equal bizNos of two apps, and bizNos that differ in case, as different orders", async () => {
      const bizNo = unique("Biz-");
      const left = await insert(anOrder({ appId: "app_left", bizNo }));
      const right = await insert(anOrder({ appId: "app_right", bizNo }));
      const lower = await insert(anOrder({ appId: "app_left", bizNo: bizNo.toLowerCase() }));
      expect(new Set([left.id, right.id, lower.id]).size).toBe(3);
    });

    it(`creates one order in ${CONCURRENT_CALLERS} concurrent calls, and all return it`, async () => {
      const bizNo = unique("biz-");
      const drafts = Array.from({ length: CONCURRENT_CALLERS }, (_, caller) =>
        anOrder({ bizNo, amount: caller + 1 }),
      );
      const stored = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.insertOnce(drafts[caller] ?? anOrder(), anEntry({ reason: `racer ${caller}` })),
      );
      const winner = stored[0];
      expect(drafts).toContainEqual(winner);
      expect(stored).toEqual(stored.map(() => winner));
      const timeline = await expectOk(stores().orders.timeline({ appId: "app_1", bizNo }));
      expect(timeline.map(({ reason, previousHash }) => ({ reason, previousHash }))).toEqual([
        { reason: `racer ${(winner?.amount ?? 0) - 1}`, previousHash: winner?.id },
      ]);
      const { totalCount } = await expectOk(
        stores().orders.list({ appId: "app_1", customerIdentity: "customer-1", offset: 0, limit: 100 }),
      );
      expect(totalCount).toBe(1);
    });

    it(`stores ${CONCURRENT_CALLERS} different orders at once`, async () => {
      const orders = Array.from({ length: CONCURRENT_CALLERS }, () => anOrder());
      expect(
        await race(CONCURRENT_CALLERS, (caller) =>
          stores().orders.insertOnce(orders[caller] ?? anOrder(), anEntry()),
        ),
      ).toEqual(orders);
    });
  });

  describe("find and findById", () => {
    it("return undefined for an unknown key or id", async () => {
      const order = await insert();
      expect(await expectOk(stores().orders.find({ ...order, bizNo: unique("biz-") }))).toBeUndefined();
      expect(await expectOk(stores().orders.findById(anId()))).toBeUndefined();
    });

    it("never return an order for another app's key", async () => {
      const order = await insert();
      expect(await expectOk(stores().orders.find({ ...order, appId: "app_2" }))).toBeUndefined();
    });
  });

  describe("findOwn", () => {
    it("returns the order to its customer only", async () => {
      const [order, bare] = [await insert(aFullOrder()), await insert(anOrder({ customerIdentity: "" }))];
      const findOwn = (key: OrderKey, identity: string) => stores().orders.findOwn(key, identity);
      expect(await expectOk(findOwn(order, order.customerIdentity))).toEqual(order);
      expect(await expectOk(findOwn(bare, ""))).toStrictEqual(bare);
      const { customerIdentity } = order;
      for (const [key, identity] of [
        [order, `${customerIdentity} `],
        [order, ""],
        [bare, customerIdentity],
        [{ ...order, appId: "app_2" }, customerIdentity],
        [{ ...order, bizNo: unique("none-") }, customerIdentity],
      ] as const)
        expect(await expectOk(findOwn(key, identity))).toBeUndefined();
    });

    it("answers concurrent calls of several customers each with its own order", async () => {
      const identities = ["user-1", "user-2"] as const;
      const orders = await Promise.all(
        identities.map((customerIdentity) => insert(anOrder({ customerIdentity }))),
      );
      const found = await race(CONCURRENT_CALLERS, (nth) => {
        const order = orders[nth % 2] ?? anOrder();
        return stores().orders.findOwn(order, identities[Math.floor(nth / 2) % 2] ?? "");
      });
      const expected = found.map((_, nth) =>
        nth % 2 === Math.floor(nth / 2) % 2 ? orders[nth % 2]?.bizNo : undefined,
      );
      expect(found.map((order) => order?.bizNo)).toEqual(expected);
    });
  });
}
