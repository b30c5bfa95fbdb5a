import * as z from "zod";
import type { ParameterRule } from "../errors/rule-texts.js";
import { issue, lazySchema } from "../shared/input.js";
import { hasControlCharacter, utf8 } from "../shared/text.js";
import type { PayChannel } from "./pay-tool.js";
import { OPTION_CHANNELS, optionNames } from "./option-channels.js";
import type { WalletOptionName, WalletOptions } from "./wallet-options.js";

/** The maximum size of `detail` by WeChat Pay: bytes of its JSON without white space. */
const MAX_DETAIL = 6_144;
const MAX_CENTS = 2_147_483_647;
/** The maximum length of `redirect_url`. WeChat Pay documents no limit. */
const MAX_REDIRECT = 1_024;

/** The values of `limit_pay`, which WeChat Pay documents. */
const LIMITS = ["no_balance", "no_credit", "no_debit", "balance_only"] as const;

/** The channels of Alipay's list of payment channels. */
const CHANNELS: ReadonlySet<string> = new Set([
  "balance",
  "moneyFund",
  "coupon",
  "pcredit",
  "pcreditpayInstallment",
  "creditCard",
  "creditCardExpress",
  "creditCardCartoon",
  "credit_group",
  "debitCardExpress",
  "mcard",
  "pcard",
  "promotion",
  "voucher",
  "point",
  "mdiscount",
  "bankPay",
]);

/**
 * Schema of {@link WalletOptions}: every option, with the values that its wallet documents.
 *
 * The result has its members in one order, so equal options give equal requests.
 */
export const walletOptions = lazySchema(
  () =>
    closed({
      attach: textOfA(128).exactOptional(),
      goods_tag: textOfA(32).exactOptional(),
      support_fapiao: z.boolean(issue("wallet-a-value")).exactOptional(),
      limit_pay: z
        .array(z.enum(LIMITS, issue("wallet-a-value")), issue("wallet-a-value"))
        .min(1, issue("wallet-a-value"))
        .refine(areDistinct, issue("wallet-a-value"))
        .exactOptional(),
      settle_info: closed({ profit_sharing: z.boolean(issue("wallet-a-value")) }).exactOptional(),
      detail: goods().exactOptional(),
      scene_info: closed({ store_info: store() }).exactOptional(),
      redirect_url: address(MAX_REDIRECT, "wallet-a-length").exactOptional(),
      passback_params: z
        .string(issue("wallet-b-value"))
        .min(1, issue("wallet-b-value"))
        .refine((text) => text.isWellFormed(), issue("unicode"))
        .refine(
          (text) => !text.isWellFormed() || encodeURIComponent(text).length <= 512,
          issue("wallet-b-length"),
        )
        .exactOptional(),
      goods_type: z.enum(["0", "1"], issue("wallet-b-value")).exactOptional(),
      enable_pay_channels: channels().exactOptional(),
      disable_pay_channels: channels().exactOptional(),
      extend_params: extension().exactOptional(),
      quit_url: address(400, "wallet-b-length").exactOptional(),
    }).refine(
      ({ enable_pay_channels, disable_pay_channels }) =>
        enable_pay_channels === undefined || disable_pay_channels === undefined,
      { path: ["disable_pay_channels"], ...issue("wallet-b-one-of-channels") },
    ) satisfies z.ZodType<WalletOptions>,
);

/** An object that takes the members of `shape` only. */
function closed<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? "wallet-option-unknown" : "shape"),
  });
}

function goods() {
  const cents = () =>
    z.int(issue("wallet-a-value")).min(1, issue("wallet-a-value")).max(MAX_CENTS, issue("wallet-a-value"));
  const line = closed({
    merchant_goods_id: z
      .string(issue("wallet-a-value"))
      .regex(/^[0-9A-Za-z_-]{1,32}$/, issue("wallet-a-value")),
    wechatpay_goods_id: textOfA(32).exactOptional(),
    goods_name: textOfA(256).exactOptional(),
    quantity: cents(),
    unit_price: cents(),
  });
  return closed({
    cost_price: cents().exactOptional(),
    invoice_id: textOfA(32).exactOptional(),
    goods_detail: z
      .array(line, issue("wallet-a-value"))
      .min(1, issue("wallet-a-value"))
      // A line has at least 32 bytes, so a longer list never fits.
      .max(MAX_DETAIL / 32, issue("wallet-a-length"))
      .exactOptional(),
  }).refine((detail) => utf8(JSON.stringify(detail)).length <= MAX_DETAIL, issue("wallet-a-length"));
}

function store() {
  return closed({
    id: textOfA(32),
    name: textOfA(256).exactOptional(),
    area_code: z
      .string(issue("wallet-a-value"))
      .regex(/^\d{1,32}$/, issue("wallet-a-value"))
      .exactOptional(),
    address: textOfA(512).exactOptional(),
  });
}

function extension() {
  return closed({
    hb_fq_num: z.enum(["3", "6", "12"], issue("wallet-b-value")).exactOptional(),
    hb_fq_seller_percent: z.enum(["0", "100"], issue("wallet-b-value")).exactOptional(),
    sys_service_provider_id: z
      .string(issue("wallet-b-value"))
      .regex(/^2088\d{12}$/, issue("wallet-b-value"))
      .exactOptional(),
  })
    .refine((params) => Object.keys(params).length > 0, issue("wallet-b-value"))
    .refine(
      ({ hb_fq_num, hb_fq_seller_percent }) =>
        (hb_fq_num === undefined) === (hb_fq_seller_percent === undefined),
      issue("wallet-b-instalments"),
    );
}

/** Text that WeChat Pay takes unchanged, of at most `maxBytes` of UTF-8. */
function textOfA(maxBytes: number) {
  return z
    .string(issue("wallet-a-value"))
    .min(1, issue("wallet-a-value"))
    .refine(
      (text) => !hasControlCharacter(text) && !/[\u{10000}-\u{10ffff}\ud800-\udfff]/u.test(text),
      issue("wallet-a-text"),
    )
    .refine((text) => utf8(text).length <= maxBytes, issue("wallet-a-length"));
}

function channels() {
  return z
    .string(issue("wallet-b-value"))
    .max(128, issue("wallet-b-length"))
    .refine((text) => text.split(",").every((name) => CHANNELS.has(name)), issue("wallet-b-value"))
    .refine((text) => areDistinct(text.split(",")), issue("wallet-b-value"));
}

function address(maxLength: number, tooLong: ParameterRule) {
  return z
    .string(issue("wallet-address"))
    .regex(/^https?:\/\/[\x21-\x7e]+$/, issue("wallet-address"))
    .max(maxLength, issue(tooLong));
}

function areDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

/** An option that cannot be used, with the rule that says why. */
export interface OptionProblem {
  readonly option: WalletOptionName;
  readonly rule: ParameterRule;
}

/** Returns the first option that does not belong to the channel. */
export function foreignOption(options: WalletOptions, payChannel: PayChannel): OptionProblem | undefined {
  const option = optionNames(options).find((name) => OPTION_CHANNELS[name] !== payChannel);
  if (option === undefined) return undefined;
  return { option, rule: payChannel === "WALLET_A" ? "wallet-b-only" : "wallet-a-only" };
}

/** Returns the first option that a pay tool cannot have as a default. */
export function defaultProblem(options: WalletOptions, payChannel: PayChannel): OptionProblem | undefined {
  if (options.detail !== undefined) return { option: "detail", rule: "wallet-option-of-order" };
  return foreignOption(options, payChannel);
}

/** Adds the issue of an option to a schema's check of the member `walletOptions`. */
export function addOptionIssue(
  { issues }: Pick<z.core.ParsePayload, "issues">,
  problem: OptionProblem | undefined,
): void {
  if (problem === undefined) return;
  const { option, rule } = problem;
  issues.push({ code: "custom", path: ["walletOptions", option], message: rule, input: option });
}
