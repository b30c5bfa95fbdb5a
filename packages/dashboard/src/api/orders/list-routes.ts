import { ok } from "neverthrow";
import * as z from "zod";
import { listExport } from "../list-export.js";
import { filterObject, pageLimit } from "../query-input.js";
import { refundOfOrderRow } from "../refunds/rows.js";
import { operatorRoute, operatorStream } from "../route.js";
import { singleLineText } from "../single-line-text.js";
import { filterInput, matchesSchema, orderListSchema } from "./list-schemas.js";
import { lookUpNumber } from "./look-up-number.js";
import { orderCursorInput, orderCursorText } from "./order-cursor.js";
import { orderFilterOf, orderRow } from "./order-row.js";
import { ordersCsv } from "./orders-csv.js";

/** The maximum number of orders and of refunds that a search returns. */
const MAX_MATCHES = 50;
/** The number at which counting stops. */
const MAX_COUNT = 10_000;

/** The endpoints that list and find orders. */
export const orderListRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/orders",
    allowed: "read",
    input: () => filterObject({ ...filterInput, before: orderCursorInput().optional(), limit: pageLimit() }),
    response: () => orderListSchema,
    run: async (context, { before, limit, ...input }) => {
      const { orderSearch, policy } = context.ports;
      const filter = await orderFilterOf(context, input);
      if (filter.isErr()) return filter;
      const listed = await orderSearch.list({ ...filter.value, before, limit });
      if (listed.isErr()) return listed;
      const { items, next } = listed.value;
      const page = {
        items: items.map((one) => orderRow(one, policy)),
        ...(next === undefined ? {} : { older: orderCursorText(next), searchedUntil: next.gmtCreate }),
      };
      if (before !== undefined) return ok({ value: page });
      const counted = await orderSearch.count(filter.value, MAX_COUNT);
      return counted.map((total) => ({ value: { ...page, total } }));
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/orders/search",
    allowed: "read",
    input: () => z.object({ q: z.string().max(200).trim().pipe(singleLineText(200)) }),
    response: () => matchesSchema,
    run: async (context, { q }) => {
      const found = await lookUpNumber(context, q, MAX_MATCHES);
      return found.map(({ orders, refunds, more }) => ({
        value: {
          q,
          searched: [
            "bizNo",
            "id",
            "walletTradeNo",
            "customerIdentity",
            "refundNo",
            "walletRefundNo",
          ] as const,
          items: orders.map((one) => orderRow(one, context.ports.policy)),
          refunds: refunds.map((refund) => refundOfOrderRow(context, refund)),
          more,
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/orders.csv",
    allowed: "orders.export",
    input: () => filterObject(filterInput),
    run: async (context, input, request) => {
      const { customer, ...criteria } = input;
      const filter = await orderFilterOf(context, input);
      if (filter.isErr()) return filter;
      return listExport(context, request, {
        action: "orders.export",
        subject: "orders",
        appId: input.appId,
        apps: filter.value.apps,
        // The audit log contains no personal data, so the entry does not name the customer.
        filter: { ...criteria, ...(customer === undefined ? {} : { customer: "one" }) },
        fileName: "orders.csv",
        lines: ordersCsv(context.ports, filter.value),
      });
    },
  }),
];
