import {
  dryRunRefund,
  dryRunRefundInput,
  type OrderKey,
  parseInput,
  type Refund,
  REFUND_STATUSES,
  type RefundPosition,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
import { fail, type Failure } from "@tillkit/core/errors";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { requireApp, sees } from "../command-of.js";
import { line } from "../line-input.js";
import { limitInput } from "../limit-input.js";
import { operatorRoute, type RouteContext } from "../route.js";
import { cursorOf, cursorText } from "./cursor.js";
import { approvalRowOf, madeOf, refundRowOf } from "./rows.js";
import { dryRunSchema, refundsPageSchema, requestedSchema } from "./schemas.js";

const ofOrder = ({ appId = "", bizNo = "" }: Readonly<Record<string, string>>) => `order:${appId}/${bizNo}`;

/** Fails with `order.not-found` if the sender does not see the order's app. */
function requireOrderApp(context: RouteContext, { appId }: Pick<OrderKey, "appId">): Result<void, Failure> {
  return sees(context, appId) ? ok(undefined) : fail("order.not-found");
}

function placeOf({ gmtCreate, appId, bizNo, refundNo }: Refund): RefundPosition {
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
        appId: line(64).optional(),
        before: cursorOf(
          z.object({ gmtCreate: z.int(), appId: line(64), bizNo: line(64), refundNo: line(64) }),
        ).optional(),
        limit: limitInput(),
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
        const older = last === undefined ? {} : { older: cursorText(placeOf(last)) };
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
    subject: ofOrder,
    input: (policy) => z.object({ appId: line(64), ...dryRunRefundInput(policy).shape }),
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
    subject: ofOrder,
    // Without an amount, the core would refund everything. The page always shows an amount.
    input: (policy) => {
      const { amount, ...refund } = requestRefundInput(policy).shape;
      return z.object({ appId: line(64), ...refund, amount: amount.unwrap() });
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
