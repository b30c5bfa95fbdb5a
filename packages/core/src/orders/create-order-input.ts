import * as z from "zod";
import { PAY_CHANNELS, type PayChannel } from "../pay-tools/pay-tool.js";
import { addOptionIssue, walletOptions } from "../pay-tools/wallet-options-input.js";
import type { Policy } from "../policy.js";
import {
  issue,
  oneOfOrEmpty,
  singleLineTextOrEmpty,
  nonBlankTextOrEmpty,
  perPolicy,
  textLimit,
  nonBlankText,
  wellFormedText,
} from "../shared/input.js";
import { utf8 } from "../shared/text.js";
import { DEFAULT_PAY_SOURCE, isOffered, PAY_SOURCES } from "../wallets/pay-source.js";
import { sourcesFrom } from "../source-from.js";
import { bizNo, isVisibleAscii } from "./biz-no.js";
import { optionProblem } from "./order-options.js";
import { isForeignPayerId, needsPayerId, type Opening } from "./payer-id.js";

/**
 * Parameters of a new order. `attachData` is kept as text and not parsed.
 *
 * Has the members of the body of `POST /order.json`, with WALLET_A or WALLET_B as `payChannel`. It
 * also has `walletOptions`, which only a program that embeds core can set. Rules that combine
 * parameters are checked only after each parameter is valid by itself.
 */
export const createOrderInput = perPolicy((policy) =>
  checked(
    orderParameters(policy, z.enum(PAY_CHANNELS, issue("pay-channel.invalid")))
      .extend({ walletOptions: walletOptions().optional() })
      .check((payload) => {
        if (payload.issues.length > 0) return;
        addOptionIssue(payload, optionProblem(payload.value));
      }),
    policy,
  ),
);

/** A valid creation request: the result of `parseInput(createOrderInput(policy), …)`. */
export type CreateOrderInput = z.output<ReturnType<typeof createOrderInput>>;

/**
 * Schema of the body of `POST /order.json`.
 *
 * @param payChannel - converts the name of a channel in requests, see `policy.payChannelNames`.
 */
export function createOrderSchema(policy: Policy, payChannel: z.ZodType<PayChannel>) {
  return checked(orderParameters(policy, payChannel), policy);
}

function orderParameters(policy: Policy, payChannel: z.ZodType<PayChannel>) {
  return z.object({
    amount: z
      .int(issue("amount.invalid"))
      .min(1, issue("amount.invalid"))
      .max(policy.maxAmount, issue("amount.invalid")),
    bizNo: bizNo(policy.maxBizNoLength),
    goodsTitle: nonBlankText(policy.maxGoodsTitleLength),
    payChannel,
    paySource: oneOfOrEmpty(PAY_SOURCES, DEFAULT_PAY_SOURCE, "pay-source.invalid").default(
      DEFAULT_PAY_SOURCE,
    ),
    payerId: optionalPayerId(policy.maxPayerIdLength),
    customerIdentity: nonBlankTextOrEmpty(policy.maxCustomerIdentityLength),
    customerName: singleLineTextOrEmpty(policy.maxCustomerNameLength),
    serviceNo: nonBlankTextOrEmpty(policy.maxServiceNoLength),
    serviceTypeNo: singleLineTextOrEmpty(policy.maxServiceNoLength),
    attachData: wellFormedText()
      .refine((text) => !text.includes("\u0000"), issue("null-character"))
      .refine((text) => utf8(text).length <= policy.maxAttachDataBytes, issue("attach-data.too-large"))
      .meta({
        ...textLimit(policy.maxAttachDataBytes),
        description: `At most ${policy.maxAttachDataBytes} bytes of UTF-8.`,
      })
      .optional(),
    sourceFrom: oneOfOrEmpty(sourcesFrom(policy), undefined, "source-from.invalid").optional(),
  });
}

/** Adds the rules that combine parameters. */
function checked<S extends z.ZodType<Opening>>(parameters: S, policy: Policy) {
  return parameters
    .refine(isOffered, { path: ["paySource"], ...issue("pay-source.unavailable"), when: isValidSoFar })
    .refine((input) => !needsPayerId(input) || input.payerId !== undefined, {
      path: ["payerId"],
      ...issue("parameter.missing"),
      when: isValidSoFar,
    })
    .refine((input) => !needsPayerId(input) || !isForeignPayerId(input, policy), {
      path: ["payerId"],
      ...issue("payer-id"),
      when: isValidSoFar,
    })
    .brand<"CreateOrderInput">();
}

function optionalPayerId(maxLength: number) {
  return singleLineTextOrEmpty(maxLength).refine(
    (text) => text === undefined || isVisibleAscii(text),
    issue("visible-ascii"),
  );
}

function isValidSoFar({ issues }: { readonly issues: readonly unknown[] }): boolean {
  return issues.length === 0;
}
