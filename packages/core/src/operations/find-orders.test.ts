import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { OrderListQuery } from "../orders/order-store.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { anOrder, stub } from "../testing/stubs.js";
import { findOrders, findOrdersInput } from "./find-orders.js";
import { orThrow } from "../errors/or-throw.js";

const order = anOrder();
const requests: OrderListQuery[] = [];
const ports: Parameters<typeof findOrders>[0] = {
  orders: stub({
    findById: (id) => okAsync(id === order.id ? order : undefined),
    find: ({ appId, bizNo }) => okAsync(appId === order.appId && bizNo === order.bizNo ? order : undefined),
    list: (query) => {
      requests.push(query);
      return okAsync({ items: [order], totalCount: 41 });
    },
  }),
};
const found = (criteria: Readonly<Record<string, unknown>>) =>
  parseInput(findOrdersInput(defaultPolicy), criteria).asyncAndThen((valid) => findOrders(ports, valid));

const ONE = { items: [order], totalCount: 1 };
const NONE = { items: [], totalCount: 0 };

describe("findOrders", () => {
  it("finds an order of any app by its id", async () => {
    expect(await orThrow(found({ by: "id", id: "order-1" }))).toEqual(ONE);
    expect(await orThrow(found({ by: "id", id: "order-2" }))).toEqual(NONE);
  });

  it("finds an order of an app by its bizNo", async () => {
    expect(await orThrow(found({ by: "bizNo", appId: "app_1", bizNo: "b-1" }))).toEqual(ONE);
    expect(await orThrow(found({ by: "bizNo", appId: "app_2", bizNo: "b-1" }))).toEqual(NONE);
  });

  it("finds a page of a customer's orders", async () => {
    const criteria = { by: "customer", appId: "app_1", customerIdentity: "c-1" };
    const page = { paymentStatus: "PAID", pageNum: "3", pageSize: 10 };
    const both = [await found(criteria), await found({ ...criteria, ...page })];
    for (const result of both) expect(orThrow(result)).toEqual({ items: [order], totalCount: 41 });
    const customer = { appId: "app_1", customerIdentity: "c-1" };
    expect(requests).toEqual([
      { ...customer, offset: 0, limit: 20 },
      { ...customer, paymentStatus: "PAID", offset: 20, limit: 10 },
    ]);
  });
});

describe("findOrdersInput", () => {
  it.each([
    [{}, { name: "parameter.missing", parameter: "by" }],
    [{ by: "amount" }, { name: "parameter.invalid", parameter: "by", rule: "shape" }],
    [{ by: "id" }, { name: "parameter.missing", parameter: "id" }],
    [
      { by: "bizNo", bizNo: "b-1" },
      { name: "parameter.missing", parameter: "appId" },
    ],
    [
      { by: "bizNo", appId: "app_1", bizNo: "b 1" },
      { name: "parameter.invalid", parameter: "bizNo", rule: "visible-ascii" },
    ],
    [
      { by: "customer", appId: "app_1" },
      { name: "parameter.missing", parameter: "customerIdentity" },
    ],
    [{ by: "customer", appId: "app_1", customerIdentity: "c-1", pageSize: 101 }, { name: "page.invalid" }],
  ])("rejects %j", async (criteria, failure) => {
    expect((await found(criteria))._unsafeUnwrapErr()).toEqual(failure);
  });
});
