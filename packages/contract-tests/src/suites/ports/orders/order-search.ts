import type { Order, Stores } from "@tillkit/core";
import type { FoundOrders, OrderFilter, OrderPosition } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aClosure,
  aConfirmation,
  anAccount,
  anAlarm,
  anApp,
  anEntry,
  anOrder,
  aPayment,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";

const HOUR = 3_600_000;

/**
 * Tests every requirement of `OrderSearch`. `open` returns empty stores for each test.
 *
 * @example
 * ```ts
 * import { orderSearchContract } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 *
 * orderSearchContract("memory", async () => ({ port: memoryStores(), close: async () => {} }));
 * ```
 */
export function orderSearchContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`OrderSearch contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const search = () => stores().orderSearch;
    const stored = (changes: Partial<Order> = {}) =>
      expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
    const listed = async (filter: OrderFilter = {}) =>
      bizNosOf(await expectOk(search().list({ ...filter, limit: 100 })));
    const alarm = (order: Order, changes = {}) =>
      expectOk(stores().orders.record(order, anAlarm({ evidence: "e", ...changes })));
    const acknowledge = (order: Order, seq: number) =>
      expectOk(stores().orders.record(order, anEntry({ type: "ALARM_ACKNOWLEDGED", evidence: String(seq) })));
    const hasAlarm = async (order: Order) => {
      const [found] = await expectOk(search().lookUp(order.bizNo, undefined, 1));
      return found?.hasAlarm;
    };

    it("lists orders newest first, and orders of the same millisecond by id", async () => {
      for (const [bizNo, gmtCreate, id] of [
        ["b", FIXTURE_TIME, "id-1"],
        ["c", FIXTURE_TIME, "id-2"],
        ["a", FIXTURE_TIME + 1, "id-0"],
      ] as const)
        await stored({ bizNo, gmtCreate, id });
      expect(await listed()).toEqual(["a", "c", "b"]);
    });

    it("returns the stored order exactly", async () => {
      const order = await stored({ goodsTitle: "a title", attachData: UNUSUAL_TEXT });
      const { items, ...rest } = await expectOk(search().list({ limit: 10 }));
      expect(items).toEqual([{ order, hasAlarm: false }]);
      expect(rest).toEqual({});
    });

    it("pages through all orders once, also orders of the same millisecond", async () => {
      for (let nth = 0; nth < 7; nth += 1)
        await stored({ bizNo: `biz-${nth}`, gmtCreate: FIXTURE_TIME + Math.floor(nth / 3) });
      const whole = await listed();
      const paged: string[] = [];
      let before: OrderPosition | undefined;
      do {
        const page: FoundOrders = await expectOk(search().list({ before, limit: 2 }));
        paged.push(...bizNosOf(page));
        before = page.next;
      } while (before !== undefined);
      expect(paged).toEqual(whole);
      expect(new Set(whole).size).toBe(7);
    });

    it("keeps a page while newer orders arrive", async () => {
      for (const nth of [0, 1, 2]) await stored({ bizNo: `old-${nth}`, gmtCreate: FIXTURE_TIME + nth });
      const first = await expectOk(search().list({ limit: 2 }));
      await stored({ bizNo: "new", gmtCreate: FIXTURE_TIME + 9 });
      const second = await expectOk(search().list({ before: first.next, limit: 2 }));
      expect([...bizNosOf(first), ...bizNosOf(second)]).toEqual(["old-2", "old-1", "old-0"]);
    });

    it.each<[string, OrderFilter, readonly string[]]>([
      ["an app", { apps: ["app_2"] }, ["b"]],
      ["several apps", { apps: ["app_1", "app_2"] }, ["d", "c", "b", "a"]],
      ["no app", { apps: [] }, []],
      ["an app whose name needs quoting", { apps: [`a"b\\c`] }, []],
      ["a status", { paymentStatus: "CLOSE" }, ["c"]],
      ["a channel", { payChannel: "WALLET_B" }, ["d"]],
      ["a customer", { customerIdentity: "customer-9" }, ["d"]],
      ["a customer in another app", { customerIdentity: "customer-9", apps: ["app_2"] }, []],
      ["a time range", { from: FIXTURE_TIME + 1, until: FIXTURE_TIME + 3 }, ["c", "b"]],
      ["a lowest amount", { minAmount: 601 }, ["b"]],
      ["a highest amount", { maxAmount: 599 }, ["c"]],
      ["an exact amount", { minAmount: 600, maxAmount: 600 }, ["d", "a"]],
      ["an alarm", { withAlarm: true }, ["a"]],
      ["an alarm and a status", { withAlarm: true, paymentStatus: "CLOSE" }, []],
      ["a customer with an alarm", { withAlarm: true, customerIdentity: "customer-9" }, []],
      [
        "everything",
        { apps: ["app_1"], paymentStatus: "PENDING", minAmount: 1, from: FIXTURE_TIME + 3 },
        ["d"],
      ],
    ])("lists and counts only the orders of %s", async (_criterion, filter, expected) => {
      const a = await stored({ bizNo: "a", appId: "app_1" });
      await stored({ bizNo: "b", appId: "app_2", amount: 601, gmtCreate: FIXTURE_TIME + 1 });
      const c = await stored({ bizNo: "c", appId: "app_1", amount: 599, gmtCreate: FIXTURE_TIME + 2 });
      const d = {
        customerIdentity: "customer-9",
        payChannel: "WALLET_B",
        gmtCreate: FIXTURE_TIME + 3,
      } as const;
      for (const appId of ["app_1", "app_2"]) await stores().apps.insertOnce(anApp({ appId }));
      await stored({ bizNo: "d", appId: "app_1", ...d });
      await expectOk(stores().orders.transition(c, aClosure()));
      await alarm(a);
      expect(await listed(filter)).toEqual(expected);
      expect(await expectOk(search().count(filter, 10))).toEqual({ count: expected.length, isLeast: false });
    });

    it("counts up to a limit, and reports that there may be more", async () => {
      for (const nth of [0, 1, 2]) await stored({ bizNo: `biz-${nth}` });
      expect(await expectOk(search().count({}, 3))).toEqual({ count: 3, isLeast: false });
      expect(await expectOk(search().count({}, 2))).toEqual({ count: 2, isLeast: true });
    });

    it("looks up each number of an order, and every order of a customer", async () => {
      await stores().apps.insertOnce(anApp({ appId: "app_1" }));
      const paid = await aPaidOrder(stores(), { customerIdentity: "customer-7" });
      const other = await stored({ customerIdentity: "customer-7", gmtCreate: FIXTURE_TIME + 5 });
      const found = async (text: string, apps?: readonly string[]) =>
        (await expectOk(search().lookUp(text, apps, 10))).map(({ order }) => order);
      for (const number of [paid.bizNo, paid.id, paid.walletTradeNo ?? ""])
        expect(await found(number)).toEqual([paid]);
      expect(await found("customer-7")).toEqual([other, paid]);
      expect(await found("customer-7", ["app_none"])).toEqual([]);
      expect(await found(paid.id, ["app_1"])).toEqual([paid]);
      expect(await found("none")).toEqual([]);
      expect(await found("")).toEqual([]);
    });

    it("looks up the same number in several apps, newest first, up to the limit", async () => {
      for (const [nth, appId] of ["app_1", "app_2", "app_3"].entries())
        await stored({ bizNo: "shared", appId, gmtCreate: FIXTURE_TIME + nth });
      const apps = async (limit: number) =>
        (await expectOk(search().lookUp("shared", undefined, limit))).map(({ order }) => order.appId);
      expect(await apps(10)).toEqual(["app_3", "app_2", "app_1"]);
      expect(await apps(2)).toEqual(["app_3", "app_2"]);
    });

    it("returns an order once that matches by two numbers", async () => {
      const order = await stored({ bizNo: "same", id: "same" });
      expect(await expectOk(search().lookUp("same", undefined, 10))).toEqual([{ order, hasAlarm: false }]);
    });

    it("reports an alarm until it is acknowledged, and again after the next alarm", async () => {
      const order = await stored();
      expect(await hasAlarm(order)).toBe(false);
      await alarm(order);
      expect(await hasAlarm(order)).toBe(true);
      await acknowledge(order, 2);
      expect(await hasAlarm(order)).toBe(false);
      expect(await listed({ withAlarm: true })).toEqual([]);
      await alarm(order, { evidence: "another" });
      expect(await hasAlarm(order)).toBe(true);
      expect(await listed({ withAlarm: true })).toEqual([order.bizNo]);
    });

    it("keeps an alarm open that followed the alarm that the operator saw", async () => {
      const order = await stored();
      await alarm(order);
      await alarm(order, { evidence: "later" });
      await acknowledge(order, 2);
      expect(await hasAlarm(order)).toBe(true);
    });

    it("returns the orders with an open alarm, the newest alarm first", async () => {
      const [first, second, third] = [await stored(), await stored({ appId: "app_2" }), await stored()];
      await alarm(first, { at: FIXTURE_TIME + 3 });
      await alarm(second, { at: FIXTURE_TIME + 4 });
      await alarm(third, { at: FIXTURE_TIME + 5 });
      await acknowledge(third, 2);
      const keys = async (apps: readonly string[] | undefined, limit: number) =>
        (await expectOk(search().alarms(apps, limit))).map(({ bizNo }) => bizNo);
      expect(await keys(undefined, 10)).toEqual([second.bizNo, first.bizNo]);
      expect(await keys(undefined, 1)).toEqual([second.bizNo]);
      expect(await keys([first.appId], 10)).toEqual([first.bizNo]);
    });

    it("returns each order with its newest open alarm", async () => {
      const order = await stored();
      const { appId, bizNo } = order;
      await alarm(order, { at: FIXTURE_TIME + 3 });
      const abnormal = { type: "REFUND_ABNORMAL", refundNo: "r-1", at: FIXTURE_TIME + 4 } as const;
      await alarm(order, { ...abnormal, evidence: "later" });
      const [newest] = await expectOk(search().alarms(undefined, 10));
      expect(newest).toEqual({ appId, bizNo, seq: 3, ...abnormal });
      await acknowledge(order, 2);
      expect(await expectOk(search().alarms(undefined, 10))).toEqual([newest]);
    });

    it("returns the entries that cause events from a time on, oldest first", async () => {
      const service = { serviceTypeNo: "month", serviceName: "A month", durationMs: DAY };
      const first = await stored({ bizNo: "b", service });
      const second = await stored({ bizNo: "a", appId: "app_2" });
      await expectOk(stores().orders.transition(first, aPayment({ at: FIXTURE_TIME + 5 })));
      await alarm(second, { at: FIXTURE_TIME + 5 });
      await acknowledge(second, 2);
      await expectOk(stores().orders.transition(second, aClosure({ at: FIXTURE_TIME + 7 })));
      const read = (from: number, changes = {}) =>
        expectOk(search().events({ apps: undefined, from: FIXTURE_TIME + from, limit: 10, ...changes }));
      const entryOf = ({ appId, bizNo, id, service: ofOrder }: Order, seq: number, type: string): unknown => {
        const entry = { appId, bizNo, orderId: id, hasService: ofOrder !== undefined, seq, type };
        return expect.objectContaining(entry);
      };
      const items = [
        entryOf(second, 2, anAlarm().type),
        entryOf(first, 2, "PAID"),
        entryOf(second, 4, "CLOSED"),
      ];
      expect(await read(0)).toEqual({ items });
      expect(await read(5)).toEqual({ items });
      expect(await read(6)).toEqual({ items: items.slice(2) });
      expect(await read(8)).toEqual({ items: [] });
      expect(await read(0, { limit: 2 })).toEqual({ items: items.slice(0, 2), next: FIXTURE_TIME + 5 });
      expect(await read(0, { limit: 3 })).toEqual({ items });
      expect(await read(0, { apps: ["app_2"] })).toEqual({ items: [items[0], items[2]] });
      // Entries of other apps have no effect on a page.
      expect(await read(0, { apps: ["app_2"], limit: 2 })).toEqual({ items: [items[0], items[2]] });
      expect(await read(6, { apps: ["app_1"], limit: 1 })).toEqual({ items: [] });
      expect(await read(0, { apps: ["app_2"], limit: 1 })).toEqual({
        items: [items[0]],
        next: FIXTURE_TIME + 5,
      });
    });

    it(`has one acknowledgement after ${CONCURRENT_CALLERS} concurrent acknowledgements`, async () => {
      const order = await stored();
      await alarm(order);
      const recorded = await race(CONCURRENT_CALLERS, () =>
        stores().orders.record(order, anEntry({ type: "ALARM_ACKNOWLEDGED", evidence: "2" })),
      );
      expect(recorded.filter(Boolean)).toHaveLength(1);
      expect(await hasAlarm(order)).toBe(false);
    });

    it("adds up payments and refunds by app and channel, each by its own time", async () => {
      // A payment of the fixtures is made a few milliseconds before it is stored.
      const paidAt = aPayment({ at: FIXTURE_TIME }).pmtDt ?? 0;
      const inRange = { apps: undefined, from: paidAt, until: FIXTURE_TIME + DAY };
      expect(await expectOk(search().sales(inRange))).toEqual([]);
      const tool = anAccount();
      await expectOk(stores().payTools.put(tool));
      const paid = await aPaidOrder(stores(), { payToolId: tool.id, amount: 600 });
      await aPaidOrder(stores(), { payToolId: "", amount: 250 });
      await aPaidOrder(stores(), { payToolId: "", amount: 1, appId: "app_2", payChannel: "WALLET_B" });
      await aPaidOrder(stores(), { payToolId: "", amount: 9_000 }, FIXTURE_TIME + 2 * DAY);
      await stored({ amount: 7 });
      const refund = await aRequestedRefund(stores(), paid, { amount: 100 });
      await aRequestedRefund(stores(), await aPaidOrder(stores(), { payToolId: "" }, FIXTURE_TIME - DAY), {
        amount: 50,
      });
      await expectOk(
        stores().refunds.confirm(paid, refund.refundNo, aConfirmation({ at: FIXTURE_TIME + 5 })),
      );
      const first = {
        appId: "app_1",
        payChannel: "WALLET_A",
        payments: 2,
        taken: 850,
        refunds: 1,
        refunded: 100,
      };
      const second = {
        appId: "app_2",
        payChannel: "WALLET_B",
        payments: 1,
        taken: 1,
        refunds: 0,
        refunded: 0,
      };
      expect(await expectOk(search().sales(inRange))).toEqual([first, second]);
      expect(await expectOk(search().sales({ ...inRange, apps: ["app_2"] }))).toEqual([second]);
      // The end of a range is exclusive, its start inclusive.
      expect(await expectOk(search().sales({ from: paidAt - DAY + 1, until: paidAt }))).toEqual([]);
    });

    it("lists exactly the payments that the sales of a time range count", async () => {
      const paidAt = aPayment({ at: FIXTURE_TIME }).pmtDt ?? 0;
      const tool = anAccount();
      await expectOk(stores().payTools.put(tool));
      const first = await aPaidOrder(stores(), { payToolId: tool.id, bizNo: "first", amount: 600 });
      await aPaidOrder(stores(), { payToolId: "", bizNo: "other", payChannel: "WALLET_B" });
      await aPaidOrder(stores(), { payToolId: "", bizNo: "later", amount: 1 }, FIXTURE_TIME + DAY);
      await stored({ bizNo: "pending", gmtCreate: FIXTURE_TIME });
      await alarm(first);
      const paid = { paidFrom: paidAt, paidUntil: paidAt + DAY };
      const sales = await expectOk(search().sales({ from: paid.paidFrom, until: paid.paidUntil }));
      expect(sales.map(({ payChannel, payments }) => [payChannel, payments])).toEqual([
        ["WALLET_A", 1],
        ["WALLET_B", 1],
      ]);
      expect((await listed(paid)).toSorted()).toEqual(["first", "other"]);
      expect(await expectOk(search().count(paid, 10))).toEqual({ count: 2, isLeast: false });
      expect(await listed({ ...paid, payChannel: "WALLET_A", paymentStatus: "PAID" })).toEqual(["first"]);
      expect(await listed({ ...paid, withAlarm: true })).toEqual(["first"]);
      const { customerIdentity } = first;
      expect((await listed({ ...paid, customerIdentity })).toSorted()).toEqual(["first", "other"]);
      // The start of the range is inclusive, its end exclusive. Either may be absent.
      expect((await listed({ paidUntil: paidAt + 1 })).toSorted()).toEqual(["first", "other"]);
      expect(await listed({ paidUntil: paidAt })).toEqual([]);
      expect(await listed({ paidFrom: paidAt + 1 })).toEqual(["later"]);
    });

    it("reports an app with refunds only", async () => {
      const paid = await aPaidOrder(stores(), { payToolId: "" }, FIXTURE_TIME - 3 * DAY);
      const refund = await aRequestedRefund(stores(), paid, { amount: 100 });
      await expectOk(
        stores().refunds.confirm(paid, refund.refundNo, aConfirmation({ at: FIXTURE_TIME + 5 })),
      );
      const sums = { payments: 0, taken: 0, refunds: 1, refunded: 100 };
      expect(await expectOk(search().sales({ from: FIXTURE_TIME, until: FIXTURE_TIME + DAY }))).toEqual([
        { appId: "app_1", payChannel: "WALLET_A", ...sums },
      ]);
    });

    it("counts created and paid orders by the hour of their creation", async () => {
      const start = FIXTURE_TIME;
      await aPaidOrder(stores(), { gmtCreate: start });
      await stored({ gmtCreate: start + HOUR - 1 });
      await stored({ gmtCreate: start + 2 * HOUR });
      await stored({ gmtCreate: start + 3 * HOUR });
      await stored({ gmtCreate: start - 1 });
      const range = { apps: undefined, from: start, until: start + 3 * HOUR };
      expect(await expectOk(search().hours(range))).toEqual([
        { start, created: 2, paid: 1 },
        { start: start + 2 * HOUR, created: 1, paid: 0 },
      ]);
      expect(await expectOk(search().hours({ ...range, apps: ["app_none"] }))).toEqual([]);
    });

    it("counts the orders that wait for a payment, and returns the oldest", async () => {
      expect(await expectOk(search().pending(undefined, 10))).toEqual({ count: 0 });
      await stored({ gmtCreate: FIXTURE_TIME + 1 });
      const oldest = await stored({ gmtCreate: FIXTURE_TIME });
      await stored({ gmtCreate: FIXTURE_TIME - 1, payToolId: "" });
      const paid = await stored({ gmtCreate: FIXTURE_TIME - 2 });
      await expectOk(stores().orders.transition(paid, aPayment()));
      expect(await expectOk(search().pending(undefined, 10))).toEqual({ count: 2, oldest });
      expect(await expectOk(search().pending(undefined, 1))).toEqual({ count: 1, oldest });
      expect(await expectOk(search().pending(["app_none"], 10))).toEqual({ count: 0 });
    });
  });
}

function bizNosOf({ items }: FoundOrders): readonly string[] {
  return items.map(({ order }) => order.bizNo);
}
