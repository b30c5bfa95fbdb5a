import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import {
  aFullOrder,
  anEntry,
  anId,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  AWKWARD_TEXT,
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

    it("keeps awkward text byte for byte", async () => {
      const order = aFullOrder({
        bizNo: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
        goodsTitle: `😀 ${AWKWARD_TEXT}`,
        customerIdentity: AWKWARD_TEXT,
        customerName: AWKWARD_TEXT,
        payerId: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
        serviceNo: AWKWARD_TEXT,
        service: { serviceTypeNo: AWKWARD_TEXT, serviceName: AWKWARD_TEXT, durationMs: 1 },
        notifyUrl: "https://pay.example/notify/%E4%BC%9A?a='b'&c=\\",
        returnUrl: "https://elsewhere.example/return/%E4%BC%9A?a='b'&c=\\",
        prepayment: {
          issuedAt: FIXTURE_TIME,
          validUntil: FIXTURE_TIME + 1,
          values: { [AWKWARD_TEXT]: AWKWARD_TEXT, empty: "" },
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
      ["text that is no JSON", AWKWARD_TEXT],
      ["4 096 bytes", "会".repeat(1_365) + "x"],
    ])("keeps attachData that is %s", async (_, attachData) => {
      const order = anOrder({ attachData });
      await insert(order);
      expect((await expectOk(stores().orders.find(order)))?.attachData).toBe(attachData);
    });

    it.each([1, 2_147_483_648, 9_999_999_999, 10_000_000_000])(
      "keeps an amount of %d cents",
      async (amount) => {
        const order = anOrder({ amount });
        await insert(order);
        expect((await expectOk(stores().orders.find(order)))?.amount).toBe(amount);
      },
    );

    it("keeps times to the millisecond", async () => {
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

    it("returns the order already held for its appId and bizNo, changing nothing", async () => {
      const first = await insert();
      const again = anOrder({ bizNo: first.bizNo, amount: 900 });
      expect(await insert(again)).toEqual(first);
      expect(await expectOk(stores().orders.find(first))).toEqual(first);
      expect(await expectOk(stores().orders.findById(again.id))).toBeUndefined();
      expect(await expectOk(stores().orders.timeline(first))).toHaveLength(1);
    });

    it("returns the order as it is by then, whatever its status", async () => {
      const order = await insert();
      const paid = await expectOk(stores().orders.transition(order, aPayment()));
      expect(await insert(anOrder({ bizNo: order.bizNo }))).toEqual(paid?.order);
    });

    it("takes the bizNos of two apps, and bizNos that differ in case, for different orders", async () => {
      const bizNo = unique("Biz-");
      const left = await insert(anOrder({ appId: "app_left", bizNo }));
      const right = await insert(anOrder({ appId: "app_right", bizNo }));
      const lower = await insert(anOrder({ appId: "app_left", bizNo: bizNo.toLowerCase() }));
      expect(new Set([left.id, right.id, lower.id]).size).toBe(3);
    });

    it(`makes one order of ${CONCURRENT_CALLERS} concurrent calls, and all return it`, async () => {
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
    it("find nothing for a key or an id that is not there", async () => {
      const order = await insert();
      expect(await expectOk(stores().orders.find({ ...order, bizNo: unique("biz-") }))).toBeUndefined();
      expect(await expectOk(stores().orders.findById(anId()))).toBeUndefined();
    });

    it("never find one app's order by another app's key", async () => {
      const order = await insert();
      expect(await expectOk(stores().orders.find({ ...order, appId: "app_2" }))).toBeUndefined();
    });
  });
}
