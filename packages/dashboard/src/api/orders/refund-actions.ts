import {
  adoptRefund,
  adoptRefundInput,
  applyAbnormalRefundInput,
  parseInput,
  payOutForOperator,
  readEvent,
  settleForOperator,
  settleRefundInput,
  syncRefund,
  withdrawRefund,
  withdrawRefundInput,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { operatorName } from "../command-of.js";
import { reasonInput, shownText } from "../reason-input.js";
import { operatorChange } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { answerOrderPage } from "./order-page.js";
import { orderKeyInput, orderSubject, requireOrderApp } from "./order-path.js";
import { orderPageSchema } from "./schemas.js";

/** The parts that all changes of refunds have. Each answers with the page of its order. */
const ANSWER = {
  method: "POST",
  subject: orderSubject,
  response: () => orderPageSchema,
  require: requireOrderApp,
} as const;

interface RefundAction {
  readonly appId: string;
  readonly bizNo: string;
  readonly refundNo: string;
  readonly reason: string;
}

/** A change of one refund, which may call its wallet. */
function refundAction(
  name: "sync" | "withdraw",
  change: (context: RouteContext, input: RefundAction) => ResultAsync<unknown, ApiFailure>,
) {
  const action = `refund.${name}` as const;
  return operatorChange({
    ...ANSWER,
    path: `/api/orders/{appId}/{bizNo}/refunds/{refundNo}/${name}`,
    allowed: action,
    action,
    input: () => z.object({ ...orderKeyInput, refundNo: singleLineText(64), ...reasonInput() }),
    repeat: answerOrderPage,
    run: async (context, input) => {
      const done = await change(context, input);
      return done.isErr() ? err(done.error) : answerOrderPage(context, input);
    },
  });
}

/**
 * Returns whether the last event of the refund is this payout by the sender.
 *
 * Then the process that paid it out died before it recorded the outcome, and this request continues
 * it. The wallet's answer about the payout decides later.
 */
function isPaidOutBySender(
  context: RouteContext,
  {
    refundNo,
    payTo,
    ...key
  }: Pick<RefundAction, "appId" | "bizNo" | "refundNo"> & { readonly payTo: string },
): ResultAsync<boolean, StorageFailure> {
  const actor = `operator:${operatorName(context)}`;
  return context.ports.orders.timeline(key).map((events) => {
    const last = events.findLast((event) => event.refundNo === refundNo);
    if (last?.type !== "REFUND_PAYOUT" || last.actor !== actor) return false;
    return readEvent({ ...last, type: last.type }).details?.to === payTo;
  });
}

/** The endpoints that continue, end and record single refunds. */
export const refundActionRoutes = [
  refundAction("sync", ({ ports }, { appId, bizNo, refundNo }) =>
    syncRefund(ports, appId, { bizNo, refundNo }),
  ),
  refundAction("withdraw", (context, { appId, ...withdrawal }) => {
    const { ports, origin } = context;
    const asked = { ...withdrawal, operator: operatorName(context) };
    return parseInput(withdrawRefundInput(ports.policy), asked).asyncAndThen((input) =>
      withdrawRefund(ports, appId, input, origin),
    );
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
    // The card goes to the wallet only.
    secret: ["bankType", "bankAccount", "realName"],
    repeat: answerOrderPage,
    run: async (context, { appId, ...payout }) => {
      const { ports } = context;
      const asked = { ...payout, operator: operatorName(context) };
      const parsed = parseInput(applyAbnormalRefundInput(ports.policy), asked);
      if (parsed.isErr()) return err(parsed.error);
      const paidOut = await payOutForOperator(ports, appId, parsed.value);
      if (paidOut.isOk()) return answerOrderPage(context, { appId, ...payout });
      if (paidOut.error.name !== "refund.status-conflict") return err(paidOut.error);
      const isOurs = await isPaidOutBySender(context, { appId, ...payout });
      if (isOurs.isErr()) return err(isOurs.error);
      return isOurs.value ? answerOrderPage(context, { appId, ...payout }) : err(paidOut.error);
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle",
    allowed: "refund.settle",
    action: "refund.settle",
    input: () =>
      z.object({
        ...orderKeyInput,
        refundNo: singleLineText(64),
        ...reasonInput(),
        evidence: shownText()
          .optional()
          .describe("What proves the outcome. Required if the wallet does not answer about an open refund."),
      }),
    repeat: answerOrderPage,
    run: async (context, { appId, ...settlement }) => {
      const { ports, origin } = context;
      const asked = { ...settlement, operator: operatorName(context) };
      const parsed = parseInput(settleRefundInput(ports.policy), asked);
      if (parsed.isErr()) return err(parsed.error);
      const settled = await settleForOperator(ports, appId, parsed.value, origin);
      return settled.isErr() ? err(settled.error) : answerOrderPage(context, { appId, ...settlement });
    },
  }),
  operatorChange({
    ...ANSWER,
    path: "/api/orders/{appId}/{bizNo}/refunds/adopt",
    allowed: "refund.adopt",
    action: "refund.adopt",
    input: () =>
      z.object({
        ...orderKeyInput,
        walletRefundNo: singleLineText(64).describe(
          "The refund's number at the wallet: `out_refund_no` at WeChat Pay, `out_request_no` at Alipay.",
        ),
        ...reasonInput(),
      }),
    repeat: answerOrderPage,
    run: async (context, { appId, ...adoption }) => {
      const { ports, origin } = context;
      const asked = { ...adoption, operator: operatorName(context) };
      const parsed = parseInput(adoptRefundInput(ports.policy), asked);
      if (parsed.isErr()) return err(parsed.error);
      const adopted = await adoptRefund(ports, appId, parsed.value, origin);
      return adopted.isErr() ? err(adopted.error) : answerOrderPage(context, { appId, ...adoption });
    },
  }),
];
