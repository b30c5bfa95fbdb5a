import {
  dryRunRefund,
  dryRunRefundInput,
  parseInput,
  type Refund,
  REFUND_STATUSES,
  type RefundPosition,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import { err } from "neverthrow";
import * as z from "zod";
import { requireApp } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { pageLimit } from "../query-input.js";
import { orderSubject, requireOrderApp } from "../orders/order-path.js";
import { operatorRoute } from "../route.js";
import { cursorInput, cursorText } from "./cursor.js";
import { approvalRowOf, madeOf, refundRowOf } from "./rows.js";
import { dryRunSchema, refundsPageSchema, requestedSchema } from "./schemas.js";

function positionOf({ gmtCreate, appId, bizNo, refundNo }: Refund): RefundPosition {
  return { gmtCreate, appId, bizNo, refundNo };
}

/** The endpoints that show and request refunds. */
export const refundsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/refunds",
    allowed: "read",
    input: () =>
      z.object({
        status: z.enum(REFUND_STATUSES).optional(),
        appId: singleLineText(64).optional(),
        before: cursorInput(
          z.object({
            gmtCreate: z.int(),
            appId: singleLineText(64),
            bizNo: singleLineText(64),
            refundNo: singleLineText(64),
          }),
        ).optional(),
        limit: pageLimit(),
      }),
    response: () => refundsPageSchema,
    run: async (context, { status, appId, before, limit }) => {
      if (appId !== undefined) {
        const visible = requireApp(context, appId);
        if (visible.isErr()) return visible;
      }
      const found = await context.ports.refunds.search({
        status,
        apps: appId === undefined ? context.identified?.operator.apps : [appId],
        before,
        limit: limit + 1,
      });
      return found.map((refunds) => {
        const items = refunds.slice(0, limit);
        const last = refunds.length > limit ? items.at(-1) : undefined;
        const older = last === undefined ? {} : { older: cursorText(positionOf(last)) };
        const rows = items.map((refund) => ({
          ...{ appId: refund.appId, bizNo: refund.bizNo },
          ...refundRowOf(context, refund),
        }));
        return { value: { items: rows, ...older } };
      });
    },
  }),
  operatorRoute({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/refunds/dry-run",
    allowed: "refund.request",
    action: "refund.request",
    subject: orderSubject,
    input: (policy) => z.object({ appId: singleLineText(64), ...dryRunRefundInput(policy).shape }),
    response: () => dryRunSchema,
    run: async (context, { appId, ...refund }) => {
      const visible = requireOrderApp(context, { appId });
      if (visible.isErr()) return visible;
      const parsed = parseInput(dryRunRefundInput(context.ports.policy), refund);
      if (parsed.isErr()) return err(parsed.error);
      const shown = await dryRunRefund(context.ports, appId, parsed.value);
      return shown.map(({ payChannel, walletRequest = { operation: "", body: "" }, ...facts }) => ({
        value: { ...facts, walletRequest: { wallet: payChannel, ...walletRequest } },
      }));
    },
  }),
  operatorRoute({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/refunds",
    allowed: "refund.request",
    action: "refund.request",
    subject: orderSubject,
    // Without an amount, the core would refund everything. The page always shows an amount.
    input: (policy) => {
      const { amount, ...refund } = requestRefundInput(policy).shape;
      return z.object({ appId: singleLineText(64), ...refund, amount: amount.unwrap() });
    },
    response: () => requestedSchema,
    run: async (context, { appId, ...refund }) => {
      const { ports, identified, origin } = context;
      const visible = requireOrderApp(context, { appId });
      if (visible.isErr() || identified === undefined) return fail("order.not-found");
      const parsed = parseInput(requestRefundInput(ports.policy), refund);
      if (parsed.isErr()) return err(parsed.error);
      const made = await requestRefund(ports, identified.operator, appId, parsed.value, origin);
      return made.map((requested) => ({
        value:
          requested.outcome === "waiting-for-approval"
            ? { outcome: requested.outcome, approval: approvalRowOf(context, requested.approval) }
            : madeOf(context, requested),
      }));
    },
  }),
];
