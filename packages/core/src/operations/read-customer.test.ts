import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { Ports } from "../ports.js";
import { anOrder, stub } from "../testing/stubs.js";
import type { OrderSearchQuery } from "./order-search.js";
import { readCustomer } from "./read-customer.js";
import { orThrow } from "../errors/or-throw.js";

const orders = [
  anOrder({ amount: 600, paymentStatus: "PAID", refundedAmount: 100 }),
  anOrder({ amount: 300, paymentStatus: "REFUND", refundedAmount: 300 }),
  anOrder({ amount: 50, paymentStatus: "CLOSE" }),
];

/** Reads a customer who has `pages` pages of orders. */
async function read(pages: number) {
  const queries: OrderSearchQuery[] = [];
  const ports = {
    clock: { now: () => 1_000, sleep: async () => undefined },
    services: stub<Ports["services"]>({ list: () => okAsync([]) }),
    orderSearch: stub<Ports["orderSearch"]>({
      list: (query) => {
        queries.push(query);
        const items = orders.map((order) => ({ order, hasAlarm: false }));
        return okAsync({ items, ...(queries.length < pages && { next: { gmtCreate: 1, id: "order-1" } }) });
      },
    }),
  };
  return { customer: await orThrow(readCustomer(ports, "app_1", "c-1")), queries };
}

it("sums the orders of one customer of one app", async () => {
  const { customer, queries } = await read(1);
  expect(customer).toEqual({
    services: [],
    totals: { orders: 3, paid: 900, refunded: 400, isLeast: false },
  });
  expect(queries).toMatchObject([{ apps: ["app_1"], customerIdentity: "c-1" }]);
});

it("reads a bounded number of orders, and reports that there may be more", async () => {
  const { customer, queries } = await read(1_000);
  expect(queries).toHaveLength(5);
  expect(customer.totals).toMatchObject({ orders: 15, isLeast: true });
});
