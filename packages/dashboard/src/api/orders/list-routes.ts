import { auditEntryOf } from "@tillkit/core";
import { err, ok } from "neverthrow";
import * as z from "zod";
import { commandOf, operatorName } from "../command-of.js";
import { visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { guardedExport } from "../guarded-export.js";
import { pageLimit } from "../query-input.js";
import { operatorRoute, operatorStream } from "../route.js";
import { filterInput, orderListSchema, orderMatchesSchema } from "./list-schemas.js";
import { orderCursorInput, orderCursorText } from "./order-cursor.js";
import { filterOf, orderRow } from "./order-row.js";
import { ordersCsv } from "./orders-csv.js";

/** The maximum number of orders that a search returns. */
const MAX_MATCHES = 50;
/** The number at which counting stops. */
const MAX_COUNT = 10_000;

/** The endpoints that list and find orders. */
export const orderListRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/orders",
    allowed: "read",
    input: () => z.object({ ...filterInput, before: orderCursorInput().optional(), limit: pageLimit() }),
    response: () => orderListSchema,
    run: async (context, { before, limit, ...input }) => {
      const { orderSearch, policy } = context.ports;
      const filter = filterOf(context, input);
      const listed = await orderSearch.list({ ...filter, before, limit });
      if (listed.isErr()) return listed;
      const { items, next } = listed.value;
      const page = {
        items: items.map((one) => orderRow(one, policy)),
        ...(next === undefined ? {} : { older: orderCursorText(next), searchedUntil: next.gmtCreate }),
      };
      if (before !== undefined) return ok({ value: page });
      const counted = await orderSearch.count(filter, MAX_COUNT);
      return counted.map((total) => ({ value: { ...page, total } }));
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/orders/search",
    allowed: "read",
    input: () => z.object({ q: z.string().max(200).trim().pipe(singleLineText(128)) }),
    response: () => orderMatchesSchema,
    run: async (context, { q }) => {
      const { orderSearch, policy } = context.ports;
      const found = await orderSearch.lookUp(q, visibleApps(context), MAX_MATCHES + 1);
      return found.map((orders) => ({
        value: {
          q,
          searched: ["bizNo", "id", "walletTradeNo", "customerIdentity"] as const,
          items: orders.slice(0, MAX_MATCHES).map((one) => orderRow(one, policy)),
          more: orders.length > MAX_MATCHES,
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/orders.csv",
    allowed: "orders.export",
    input: () => z.object(filterInput),
    run: async (context, input, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const { customer, ...criteria } = input;
      // The audit log contains no personal data, so the entry does not name the customer.
      const detail = JSON.stringify({ ...criteria, ...(customer === undefined ? {} : { customer: "one" }) });
      const { appId } = input;
      const facts = { action: "orders.export", subject: "orders", detail } as const;
      const entry = auditEntryOf(context.ports, commandOf(context, ""), {
        ...facts,
        ...(appId === undefined ? {} : { appId }),
      });
      const logged = await context.ports.auditLog.append(entry);
      if (logged.isErr()) return err(logged.error);
      const filter = filterOf(context, input);
      const rights = { permission: "orders.export", apps: filter.apps } as const;
      return ok({
        body: guardedExport(context, request, rights, ordersCsv(context.ports, filter)),
        contentType: "text/csv; charset=utf-8",
        fileName: "orders.csv",
      });
    },
  }),
];
