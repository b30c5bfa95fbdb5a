import { knownRefund, type Policy, requestRefund, requestRefundInput } from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import { dryRunRefund, dryRunRefundInput } from "@tillkit/core/operators";
import { err, ok } from "neverthrow";
import * as z from "zod";
import { singleLineText } from "../single-line-text.js";
import { orderSubject, requireOrderApp } from "../orders/order-path.js";
import { operatorChange, operatorRoute } from "../route.js";
import { findMade } from "./find-made.js";
import { activityOf, approvalRowOf, madeOf } from "./rows.js";
import { dryRunSchema, requestedSchema } from "./schemas.js";

/** The endpoints that request refunds. */
export const refundsRoutes = [
  operatorRoute({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/refunds/dry-run",
    allowed: "refund.request",
    action: "refund.request",
    subject: orderSubject,
    input: (policy) =>
      z
        .object({ appId: singleLineText(64), ...dryRunRefundInput(policy).shape })
        .brand<"DryRunRefundInput">(),
    response: () => dryRunSchema,
    run: async (context, { appId, ...refund }) => {
      const visible = requireOrderApp(context, { appId });
      if (visible.isErr()) return visible;
      const shown = await dryRunRefund(context.ports, appId, refund);
      return shown.map(({ payChannel, activity, walletRequest = { operation: "", body: "" }, ...facts }) => ({
        value: {
          ...facts,
          activity: activityOf(activity),
          walletRequest: { wallet: payChannel, ...walletRequest },
        },
      }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/orders/{appId}/{bizNo}/refunds",
    allowed: "refund.request",
    action: "refund.request",
    subject: orderSubject,
    // Without an amount, the core would refund everything. The page always shows an amount.
    input: (policy: Policy) => {
      const { amount, ...refund } = requestRefundInput(policy).shape;
      return z
        .object({ appId: singleLineText(64), ...refund, amount: amount.unwrap() })
        .brand<"RequestRefundInput">();
    },
    response: () => requestedSchema,
    require: requireOrderApp,
    repeat: async (context, { appId, bizNo, refundNo }) => {
      const found = await findMade(context, { appId, bizNo }, refundNo);
      if (found.isErr()) return err(found.error);
      const { refund, approval } = found.value;
      if (refund !== undefined) return ok({ value: madeOf(context, knownRefund(refund)) });
      if (approval === undefined) return fail("order.not-found");
      const outcome = "waiting-for-approval" as const;
      return ok({ value: { outcome, approval: approvalRowOf(context, approval) } });
    },
    run: async (context, { appId, ...refund }) => {
      const { ports, identified, origin } = context;
      if (identified === undefined) return fail("order.not-found");
      const made = await requestRefund(ports, identified.operator, appId, refund, origin);
      return made.map((requested) => ({
        value:
          requested.outcome === "waiting-for-approval"
            ? { outcome: requested.outcome, approval: approvalRowOf(context, requested.approval) }
            : madeOf(context, requested),
      }));
    },
  }),
];
