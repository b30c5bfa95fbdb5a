import {
  applyAbnormalRefundInput,
  type OrderKey,
  parseInput,
  type Policy,
  settleRefundInput,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  adoptRefund,
  adoptRefundInput,
  payOutForOperator,
  readEvent,
  settleForOperator,
  syncRefund,
  withdrawRefund,
  withdrawRefundInput,
} from "@tillkit/core/operators";
import { err, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { operatorName } from "../command-of.js";
import { reasonInput, shownText } from "../reason-input.js";
import { operatorChange } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { answerOrderPage } from "./order-page.js";
import { orderKeyInput, orderSubject, requireOrderApp } from "./order-path.js";
import { orderPageSchema } from "./schemas.js";

/** The common parts of all changes of refunds. Each change answers with the page of its order. */
const ANSWER = {
  method: "POST",
  subject: orderSubject,
  response: () => orderPageSchema,
  require: requireOrderApp,
} as const;

/** Returns the members of a core schema without the operator, whom the session names. */
function asked<S extends { readonly operator: z.ZodType }>({ operator: _session, ...shape }: S) {
  return { appId: singleLineText(64), ...shape };
}

/**
 * Returns whether this change made the last payout of the refund, and the wallet did not refuse it.
 *
 * If so, the process that paid the refund out died before it recorded the outcome, and this request
 * continues the change. Does not use the status of the refund, because the wallet may have reported
 * the result since. Compares the id of the change, because another change of the same operator may
 * name another card.
 */
function isPaidOutByChange(
  context: RouteContext,
  { refundNo, ...key }: OrderKey & { readonly refundNo: string },
): ResultAsync<boolean, StorageFailure> {
  const { ports, origin } = context;
  return ports.orders.timeline(key).map((events) => {
    const last = events.findLast(
      ({ type, refundNo: of }) =>
        of === refundNo && (type === "REFUND_PAYOUT" || type === "REFUND_PAYOUT_REFUSED"),
    );
    if (last?.type !== "REFUND_PAYOUT" || origin.change === undefined) return false;
    const { details } = readEvent({ ...last, type: last.type });
    return last.actor === `operator:${operatorName(context)}` && details?.change === origin.change.id;
  });
}

/** The endpoints that continue, end and record single refunds. */
export const refundActionRoutes = [
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync",
    allowed: "refund.sync",
    action: "refund.sync",
    input: () => z.object({ ...orderKeyInput, refundNo: singleLineText(64), ...reasonInput() }),
    repeat: answerOrderPage,
    run: async (context, { appId, bizNo, refundNo }) => {
      const synced = await syncRefund(context.ports, appId, { bizNo, refundNo });
      return synced.isErr() ? err(synced.error) : answerOrderPage(context, { appId, bizNo });
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw",
    allowed: "refund.withdraw",
    action: "refund.withdraw",
    input: (policy: Policy) =>
      z
        .object({ ...asked(withdrawRefundInput(policy).shape), ...reasonInput() })
        .brand<"WithdrawRefundInput">(),
    repeat: answerOrderPage,
    run: async (context, { appId, ...withdrawal }) => {
      const input = { ...withdrawal, operator: operatorName(context) };
      const withdrawn = await withdrawRefund(context.ports, appId, input, context.origin);
      return withdrawn.isErr() ? err(withdrawn.error) : answerOrderPage(context, { appId, ...withdrawal });
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out",
    allowed: "refund.pay-out",
    action: "refund.pay-out",
    input: () =>
      z.object({
        ...orderKeyInput,
        refundNo: singleLineText(64),
        ...reasonInput(),
        payTo: z
          .enum(["customer", "merchant"])
          .describe("A debit card of the customer, or the merchant's bank account at the wallet."),
        bankType: singleLineText(16)
          .optional()
          .describe("The wallet's code for the bank of the card, such as `CMB_DEBIT`. For `customer`."),
        bankAccount: singleLineText(32).optional().describe("The number of the card. For `customer`."),
        realName: singleLineText(64).optional().describe("The card holder's name. For `customer`."),
      }),
    // Only the wallet may receive the card.
    secret: ["bankType", "bankAccount", "realName"],
    repeat: answerOrderPage,
    run: async (context, { appId, ...payout }) => {
      const { ports } = context;
      // The required members depend on the receiver, so the schema of the route cannot express all
      // rules.
      const request = { ...payout, operator: operatorName(context) };
      const parsed = parseInput(applyAbnormalRefundInput(ports.policy), request);
      if (parsed.isErr()) return err(parsed.error);
      const paidOut = await payOutForOperator(ports, appId, parsed.value, context.origin);
      if (paidOut.isOk()) return answerOrderPage(context, { appId, ...payout });
      if (paidOut.error.name !== "refund.status-conflict") return err(paidOut.error);
      const isOurs = await isPaidOutByChange(context, { appId, ...payout });
      if (isOurs.isErr()) return err(isOurs.error);
      return isOurs.value ? answerOrderPage(context, { appId, ...payout }) : err(paidOut.error);
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle",
    allowed: "refund.settle",
    action: "refund.settle",
    input: (policy: Policy) =>
      z
        .object({
          ...asked(settleRefundInput(policy).shape),
          ...reasonInput(),
          evidence: shownText()
            .optional()
            .describe(
              "What proves the outcome. Required if the wallet does not answer about an open refund, or denies one that it has accepted.",
            ),
        })
        .brand<"SettleRefundInput">(),
    repeat: answerOrderPage,
    run: async (context, { appId, ...settlement }) => {
      const input = { ...settlement, operator: operatorName(context) };
      const settled = await settleForOperator(context.ports, appId, input, context.origin);
      return settled.isErr() ? err(settled.error) : answerOrderPage(context, { appId, ...settlement });
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/adopt",
    allowed: "refund.adopt",
    action: "refund.adopt",
    input: (policy: Policy) => {
      const { walletRefundNo, ...adoption } = asked(adoptRefundInput(policy).shape);
      return z
        .object({
          ...adoption,
          walletRefundNo: walletRefundNo.describe(
            "The refund's number at the wallet: `out_refund_no` at WeChat Pay, `out_request_no` at Alipay.",
          ),
          ...reasonInput(),
        })
        .brand<"AdoptRefundInput">();
    },
    repeat: answerOrderPage,
    run: async (context, { appId, ...adoption }) => {
      const input = { ...adoption, operator: operatorName(context) };
      const adopted = await adoptRefund(context.ports, appId, input, context.origin);
      return adopted.isErr() ? err(adopted.error) : answerOrderPage(context, { appId, ...adoption });
    },
  }),
];
