import type { Ports } from "@tillkit/core";
import { ERROR_CATALOG, type Failure, failureMessage } from "@tillkit/core/errors";
import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import * as z from "zod";
import { decoded, failed, json, replied, withBody } from "./control-replies.js";
import { DEPOSIT_BACKS, REFUND_OUTCOMES } from "./ledger-order.js";
import type { PayCodes } from "./pay-codes.js";
import type { RefundControls } from "./refund-controls.js";
import { refundAsOperator } from "./refund-as-operator.js";
import { refundRulesChange, type RefundRuleSettings } from "./refund-rules.js";

/** The dependencies of the calls about refunds, the merchant's money and payment codes. */
export interface RefundRouteOptions {
  readonly refundControls: RefundControls;
  readonly refundRules: RefundRuleSettings;
  readonly payCodes: Pick<PayCodes, "show">;
  readonly host?: () => Ports;
  /**
   * Replaces a `bizNo` by the order's number at the wallets.
   *
   * Returns a number unchanged if a wallet knows it, or if the host has no such `bizNo`.
   */
  readonly numberOf: (number: string) => Promise<string>;
}

/** The calls that {@link answerRefundControl} handles, for the list of all calls. */
export const REFUND_CALLS = [
  "POST /refund",
  "POST /console-refund",
  "GET /refunds",
  "POST /refunds",
  "GET /refunds/{refundNo}",
  "POST /refunds/{refundNo}",
  "GET /funds",
  "POST /funds",
  "POST /funds/top-up",
  "POST /pay-code",
];

const MOST_CENTS = 1_000_000_000_000;

const hostRefundInput = z.strictObject({ bizNo: z.string().min(1), amount: z.int().min(1).optional() });
const consoleRefundInput = z.strictObject({
  outTradeNo: z.string().min(1),
  amount: z.int().min(1).optional(),
  notify: z.boolean().optional(),
});
const changeInput = z
  .strictObject({
    state: z.enum(["PROCESSING", ...REFUND_OUTCOMES]).optional(),
    depositBack: z.enum(DEPOSIT_BACKS).nullable().optional(),
  })
  .refine(
    ({ state, depositBack }) => state !== undefined || depositBack !== undefined,
    "give state, depositBack or both",
  );
const cents = z.int().min(0).max(MOST_CENTS);
const fundsInput = z.strictObject({
  walletA: cents.nullable().optional(),
  walletB: cents.nullable().optional(),
});
const topUpInput = z.strictObject({ walletA: cents.optional(), walletB: cents.optional() });
const payCodeInput = z.strictObject({ use: z.enum(["pays", "confirms-later"]).default("pays") });

/** Answers with the failure of the host and its HTTP status. */
function refusedByHost(failure: Failure): HttpReply<string> {
  const { code, status } = ERROR_CATALOG[failure.name];
  return json(status, { error: failureMessage(failure, "en"), name: failure.name, code });
}

/**
 * Answers a call about refunds, the merchant's money or payment codes.
 *
 * @returns the reply, or `undefined` if the request is another call.
 */
export function answerRefundControl(
  { refundControls, refundRules, payCodes, host, numberOf }: RefundRouteOptions,
  request: HttpRequest,
): HttpReply<string> | Promise<HttpReply<string>> | undefined {
  const refundNo = /^\/refunds\/([^/]+)$/.exec(request.path)?.[1];
  if (refundNo !== undefined && request.method === "GET")
    return replied(refundControls.refund(decoded(refundNo)));
  if (refundNo !== undefined && request.method === "POST")
    return withBody(request, changeInput, async (change) =>
      replied(await refundControls.changeRefund(decoded(refundNo), change)),
    );
  switch (`${request.method} ${request.path}`) {
    case "POST /refund":
      return withBody(request, hostRefundInput, async (parameters) => {
        if (host === undefined)
          return failed(404, "This sandbox was opened without `host`: refund in the host itself.");
        return refundAsOperator(host(), parameters).match(
          ({ bizNo, refundNo, amount, status }) => json(200, { bizNo, refundNo, amount, status }),
          refusedByHost,
        );
      });
    case "POST /console-refund":
      return withBody(request, consoleRefundInput, async ({ outTradeNo, amount, notify }) =>
        replied(refundControls.refundInConsole(await numberOf(outTradeNo), { amount, notify })),
      );
    case "GET /refunds":
      return json(200, refundRules.now());
    case "POST /refunds":
      return withBody(request, refundRulesChange, (change) => json(200, refundRules.change(change)));
    case "GET /funds":
      return json(200, refundControls.funds());
    case "POST /funds":
      return withBody(request, fundsInput, (funds) => json(200, refundControls.setFunds(funds)));
    case "POST /funds/top-up":
      return withBody(request, topUpInput, (added) => json(200, refundControls.topUp(added)));
    case "POST /pay-code":
      return withBody(request, payCodeInput, ({ use }) => json(200, { authCode: payCodes.show(use) }));
    default:
      return undefined;
  }
}
