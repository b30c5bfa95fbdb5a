import type { Order, Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { anEntry, anOrder, CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";
import { allPages } from "../../../support/stores/all-pages.js";

/** Tests `OrderStore`: the pages of all orders, for an export. */
export function orderExport(stores: () => Pick<Stores, "orders">): void {
  const insert = (order: Order) => expectOk(stores().orders.insertOnce(order, anEntry()));
  const pages = async (limit: number, appId?: string): Promise<readonly string[]> => {
    const orders = await allPages<Order>(limit, (after) =>
      expectOk(stores().orders.listAll({ appId, after, limit })),
    );
    return orders.map(({ bizNo, appId: app }) => `${bizNo} ${app}`);
  };

  describe("listAll", () => {
    it("returns every order once, page after page, by bizNo and then by app, byte by byte", async () => {
      for (const [bizNo, appId] of [
        ["b-2", "app_1"],
        ["a-1", "app_2"],
        ["B-1", "app_1"],
        ["a-1", "app_1"],
        ["a-10", "app_1"],
      ] as const)
        await insert(anOrder({ bizNo, appId }));
      const sorted = ["B-1 app_1", "a-1 app_1", "a-1 app_2", "a-10 app_1", "b-2 app_1"];
      for (const limit of [1, 2, 100]) expect(await pages(limit)).toEqual(sorted);
      expect(await pages(2, "app_1")).toEqual(sorted.filter((key) => key.endsWith("app_1")));
      expect(await pages(2, "app_none")).toEqual([]);
    });

    it("returns only orders that were created in the period, which excludes its end", async () => {
      for (const [bizNo, gmtCreate] of [
        ["d-early", FIXTURE_TIME - 1],
        ["c-first", FIXTURE_TIME],
        ["b-last", FIXTURE_TIME + 9],
        ["a-late", FIXTURE_TIME + 10],
      ] as const)
        await insert(anOrder({ bizNo, gmtCreate }));
      const found = async (period: { readonly from?: number; readonly until?: number }, appId?: string) => {
        const orders = await allPages<Order>(1, (after) =>
          expectOk(stores().orders.listAll({ ...period, appId, after, limit: 1 })),
        );
        return orders.map(({ bizNo }) => bizNo);
      };
      const [from, until] = [FIXTURE_TIME, FIXTURE_TIME + 10];
      expect(await found({ from, until })).toEqual(["b-last", "c-first"]);
      expect(await found({ from, until }, "app_1")).toEqual(["b-last", "c-first"]);
      expect(await found({ from })).toEqual(["a-late", "b-last", "c-first"]);
      expect(await found({ until })).toEqual(["b-last", "c-first", "d-early"]);
    });

    it("returns the orders as they are stored", async () => {
      const order = await insert(anOrder());
      expect(await expectOk(stores().orders.listAll({ limit: 10 }))).toEqual([order]);
    });

    it(`returns all earlier orders during ${CONCURRENT_CALLERS} concurrent insertions`, async () => {
      const [first, last] = [await insert(anOrder({ bizNo: "a" })), await insert(anOrder({ bizNo: "z" }))];
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        caller % 2 === 0
          ? stores().orders.listAll({ limit: 100 })
          : stores()
              .orders.insertOnce(anOrder({ bizNo: `m-${caller}` }), anEntry())
              .map((order) => [first, order, last]),
      );
      for (const answer of answers) {
        expect(answer[0]).toEqual(first);
        expect(answer.at(-1)).toEqual(last);
      }
      expect(await pages(3)).toHaveLength(2 + CONCURRENT_CALLERS / 2);
    });
  });
}
