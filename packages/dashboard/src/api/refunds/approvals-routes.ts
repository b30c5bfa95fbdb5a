import { type Operator, parseInput, knownRefund } from "@tillkit/core";
import {
  approveRefund,
  decideRefundInput,
  type DecideRefundInput,
  listRefundApprovals,
  listRefundApprovalsInput,
  type DecidedRefund,
  rejectRefund,
} from "@tillkit/core/operators";
import { REFUND_APPROVAL_STATES } from "@tillkit/core/ports";
import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { operatorName } from "../command-of.js";
import { requireApp } from "../visible-apps.js";
import { pageLimit } from "../query-input.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { cursorInput, cursorText } from "../cursor.js";
import { sees } from "../visible-apps.js";
import { findMade } from "./find-made.js";
import { approvalRowOf, madeOf } from "./rows.js";
import { approvalsPageSchema, decidedSchema } from "./schemas.js";

/** A decision about a waiting refund. */
function decision(
  name: "approve" | "reject",
  decide: (
    context: RouteContext,
    operator: Operator,
    input: DecideRefundInput,
  ) => ResultAsync<DecidedRefund, ApiFailure>,
) {
  const action = `refund.${name}` as const;
  return operatorChange({
    method: "POST",
    path: `/api/refund-approvals/{id}/${name}`,
    allowed: action,
    action,
    subject: ({ id = "" }) => `refund-approval:${id}`,
    input: () => z.object({ ...decideRefundInput().shape, ...reasonInput() }).brand<"DecideRefundInput">(),
    response: () => decidedSchema,
    repeat: async (context, { id }) => {
      const approval = await context.ports.refundApprovals.find(id);
      if (approval.isErr()) return err(approval.error);
      if (approval.value === undefined || !sees(context, approval.value.appId))
        return err({ name: "refund-approval.not-found" });
      const made = await findMade(context, approval.value, approval.value.refundNo);
      if (made.isErr()) return err(made.error);
      const { refund } = made.value;
      const row = approvalRowOf(context, approval.value);
      return ok({
        value: {
          approval: row,
          ...(refund === undefined ? {} : madeOf(context, knownRefund(refund))),
        },
      });
    },
    run: async (context, input) => {
      if (context.identified === undefined) return err({ name: "session.missing" });
      const hidden = await context.ports.refundApprovals.find(input.id).unwrapOr(undefined);
      if (hidden !== undefined && !sees(context, hidden.appId)) await context.recordHidden(hidden.appId);
      const decided = await decide(context, context.identified.operator, input);
      return decided.map(({ approval, made }) => ({
        value: {
          approval: approvalRowOf(context, approval),
          ...(made === undefined ? {} : madeOf(context, made)),
        },
      }));
    },
  });
}

/** The endpoints for the refunds that need a second operator. */
export const refundApprovalsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/refund-approvals",
    allowed: "read",
    input: () =>
      z.object({
        state: z
          .enum([...REFUND_APPROVAL_STATES, "DECIDED"])
          .optional()
          .describe("`WAITING` by default. `DECIDED`: approved and rejected ones."),
        appId: singleLineText(64).optional(),
        mine: z.literal("true").optional().describe("Only requests of the sender."),
        notMade: z
          .literal("true")
          .optional()
          .describe(
            "Only approved refunds that could not be made, until the alarm about it is acknowledged.",
          ),
        before: cursorInput(z.object({ requestedAt: z.int(), id: singleLineText(64) })).optional(),
        limit: pageLimit(),
      }),
    response: () => approvalsPageSchema,
    run: async (context, { state = "WAITING", appId, mine, notMade, before, limit }) => {
      if (appId !== undefined) {
        const visible = requireApp(context, appId);
        if (visible.isErr()) return visible;
      }
      const parsed = parseInput(listRefundApprovalsInput(), {
        states: state === "DECIDED" ? ["APPROVED", "REJECTED"] : [state],
        ...(mine && { requestedBy: operatorName(context) }),
        ...(notMade && { notMade: true }),
        before,
        limit: limit + 1,
      });
      if (parsed.isErr()) return err(parsed.error);
      const apps = appId === undefined ? context.identified?.operator.apps : [appId];
      const found = await listRefundApprovals(context.ports, { ...(apps && { apps }) }, parsed.value);
      return found.map((approvals) => {
        const items = approvals.slice(0, limit);
        const last = approvals.length > limit ? items.at(-1) : undefined;
        const older = last && { older: cursorText({ requestedAt: last.requestedAt, id: last.id }) };
        return { value: { items: items.map((approval) => approvalRowOf(context, approval)), ...older } };
      });
    },
  }),
  decision("approve", ({ ports, origin }, operator, input) => approveRefund(ports, operator, input, origin)),
  decision("reject", ({ ports, origin }, operator, input) =>
    rejectRefund(ports, operator, input, origin).map((approval) => ({ approval })),
  ),
];
