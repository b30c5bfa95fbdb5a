import type { Order, Stores } from "@tillkit/core";
import type { BillException, FoundException } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aFoundException,
  anEntry,
  anOrder,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
  MINUTE,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

const NOTE = "Li Lei called";
const AT = FIXTURE_TIME + MINUTE;

/** Tests `CustomerDataStore`: the notes about differences of bills of an order. */
export function noteErasure(stores: () => Pick<Stores, "billExceptions" | "customerData" | "orders">): void {
  const erase = (order: Order) => expectOk(stores().customerData.eraseNotes(order));
  const find = (id: string) => expectOk(stores().billExceptions.find(id));
  const store = (changes: Partial<Order> = {}) =>
    expectOk(stores().orders.insertOnce(anOrder(changes), anEntry()));
  const report = async (found: FoundException) => {
    await expectOk(stores().billExceptions.report([found]));
    return found;
  };
  /** Stores an exception with the number of the order, and resolves it with a note. */
  const aNote = async ({ id: outTradeNo, appId, bizNo }: Order) =>
    aNoteAbout(aFoundException({ outTradeNo, order: { appId, bizNo } }));
  const aNoteAbout = async (exception: FoundException) => {
    const found = await report(exception);
    const resolution = { operator: "han", note: NOTE, at: AT, remedy: "settle" } as const;
    await expectOk(stores().billExceptions.resolve(found.id, resolution));
    return found;
  };
  /** Stores an exception that an operator assigned to the order. */
  const anAssignment = async ({ appId, bizNo }: Order) => {
    const found = await report(aFoundException());
    const order = { appId, bizNo };
    const resolution = { operator: "han", note: NOTE, at: AT, remedy: "assign", order } as const;
    await expectOk(stores().billExceptions.resolve(found.id, resolution));
    return found;
  };
  const withoutNote = (exception: BillException | undefined) => exception && { ...exception, note: "" };

  describe("eraseNotes", () => {
    it("erases the notes about an order in every state, once, and nothing else", async () => {
      const order = await store();
      const resolved = await aNote(order);
      const reopened = await aNote(order);
      await report({ ...reopened, amountThere: 1 });
      const assigned = await anAssignment(order);
      const open = await report(aFoundException({ outTradeNo: order.id }));
      const ids = [resolved, reopened, assigned, open].map(({ id }) => id);
      const before = await Promise.all(ids.map(find));
      expect(before.map((one) => one?.note)).toEqual([NOTE, NOTE, NOTE, undefined]);
      expect(before.map((one) => one?.state)).toEqual(["RESOLVED", "OPEN", "RESOLVED", "OPEN"]);
      expect(await erase(order)).toBe(3);
      expect(await Promise.all(ids.map(find))).toEqual([
        ...before.slice(0, 3).map(withoutNote),
        before.at(-1),
      ]);
      expect(await erase(order)).toBe(0);
      await report({ ...resolved, amountThere: 1 });
      expect(await find(resolved.id)).toMatchObject({ state: "OPEN", note: "" });
    });

    it("leaves the notes about other orders, and about the same bizNo of another app", async () => {
      const order = await store();
      const others = [await store(), await store({ appId: "app_2", bizNo: order.bizNo })];
      const noted = await Promise.all(others.flatMap((other) => [aNote(other), anAssignment(other)]));
      const foreign = await aNoteAbout(aFoundException({ outTradeNo: "" }));
      const before = await Promise.all([...noted, foreign].map(({ id }) => find(id)));
      expect(await erase(order)).toBe(0);
      expect(await Promise.all([...noted, foreign].map(({ id }) => find(id)))).toEqual(before);
    });

    it(`counts each note once in ${CONCURRENT_CALLERS} concurrent calls, while notes are written`, async () => {
      const order = await store();
      const found = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => report(aFoundException({ outTradeNo: order.id }))),
      );
      const resolution = { operator: "han", note: NOTE, at: AT, remedy: "settle" } as const;
      const counts = await race(2 * CONCURRENT_CALLERS, (caller) => {
        const { id } = found[Math.floor(caller / 2)] ?? aFoundException();
        return caller % 2 === 0
          ? stores()
              .billExceptions.resolve(id, resolution)
              .map(() => 0)
          : stores().customerData.eraseNotes(order);
      });
      const rest = await erase(order);
      expect(counts.reduce((sum, count) => sum + count, rest)).toBe(CONCURRENT_CALLERS);
      const notes = await Promise.all(found.map(async ({ id }) => (await find(id))?.note));
      expect(notes).toEqual(found.map(() => ""));
    });
  });

  describe("billExceptions.list with `ofOrder`", () => {
    it("returns the exceptions with the number of an order or assigned to it, in pages", async () => {
      const order = await store();
      const others = [await store(), await store({ appId: "app_2", bizNo: order.bizNo })];
      const mine = [await aNote(order), await anAssignment(order)];
      // This exception has the number but no order, because the order was imported later.
      mine.push(await aNoteAbout(aFoundException({ outTradeNo: order.id })));
      for (const other of others) await anAssignment(other);
      const ids: string[] = [];
      const { billExceptions } = stores();
      const query = { state: "RESOLVED", ofOrder: order, limit: 2 } as const;
      let page = await expectOk(billExceptions.list(query));
      ids.push(...page.items.map(({ id }) => id));
      while (page.next !== undefined) {
        page = await expectOk(billExceptions.list({ ...query, before: page.next }));
        ids.push(...page.items.map(({ id }) => id));
      }
      expect(ids.toSorted()).toEqual(mine.map(({ id }) => id).toSorted());
      expect((await expectOk(billExceptions.list({ ...query, state: "OPEN" }))).items).toEqual([]);
      const { id: outTradeNo } = order;
      const narrowed = await expectOk(billExceptions.list({ ...query, outTradeNo, limit: 9 }));
      expect(narrowed.items.map((one) => one.outTradeNo)).toEqual([outTradeNo, outTradeNo]);
    });
  });
}
