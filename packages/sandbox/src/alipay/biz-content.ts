import { centsOfYuan } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { Terms } from "../ledger-order.js";
import { instantOfChinaTime } from "../shared/china-time.js";
import { readJson } from "../shared/json.js";
import type { PaymentMethod } from "../payment-method.js";
import { canonicalText, canonicalWithout } from "../wire/canonical.js";
import { isNotifiable } from "../wire/notify-url.js";
import { business, type WalletBRefusal } from "./answers.js";
import type { KnownApp } from "./request.js";
import type { SignedParameters } from "./sign.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_CENTS = 10_000_000_000;
/** How long a trade without an expiry can be paid, in milliseconds. */
const TO_PAY = {
  APP: 15 * DAY,
  H5: 15 * DAY,
  PC: 15 * DAY,
  JSAPI: 15 * DAY,
  NATIVE: 3 * HOUR,
  CODE: 3 * HOUR,
} as const satisfies Record<PaymentMethod, number>;

/** Alipay's list of channels to pay with. */
const PAY_CHANNELS: ReadonlySet<string> = new Set(
  "balance moneyFund coupon pcredit pcreditpayInstallment creditCard creditCardExpress creditCardCartoon credit_group debitCardExpress mcard pcard promotion voucher point mdiscount bankPay".split(
    " ",
  ),
);

const text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((value) => [...value].length <= max, `at most ${max} characters`)
    // Alipay stores texts in GBK, which has no characters beyond U+FFFF, such as emoji.
    .refine((value) => !/[\u{10000}-\u{10ffff}\ud800-\udfff]/u.test(value), "has a character beyond U+FFFF");
const outTradeNo = z.string().regex(/^[0-9A-Za-z_]{1,64}$/, "1 to 64 letters, digits and _");
const yuan = z
  .union([z.string(), z.number().transform(String)])
  .refine((value) => /^\d{1,9}(\.\d{1,2})?$/.test(value), "not yuan with at most two decimals")
  .transform((value) => centsOfYuan(value) ?? 0)
  .refine((cents) => cents >= 1 && cents <= MAX_CENTS, "not 0.01 to 100000000");
const moment = z
  .string()
  .refine((value) => instantOfChinaTime(value) !== undefined, "not yyyy-MM-dd HH:mm:ss");
const duration = z.string().regex(/^\d{1,5}[mhd]$|^1c$/, "not like 90m, 2h, 1d or 1c");

const channels = text(128).refine(
  (value) => value.split(",").every((name) => PAY_CHANNELS.has(name)),
  "has a channel that is not on the list",
);

const trade = {
  out_trade_no: outTradeNo,
  subject: text(256).refine((value) => !/[/=&]/.test(value), "has a / = or &"),
  total_amount: yuan,
  body: text(128).optional(),
  time_expire: moment.optional(),
  timeout_express: duration.optional(),
  // Alipay asks for URL-encoded text: a & or = in it would make the signed text ambiguous.
  passback_params: text(512)
    .refine((value) => !/[&=\s]/.test(value), "not URL-encoded")
    .optional(),
  seller_id: text(28).optional(),
  goods_type: z.enum(["0", "1"]).optional(),
  enable_pay_channels: channels.optional(),
  disable_pay_channels: channels.optional(),
  extend_params: z
    .object({
      hb_fq_num: z.enum(["3", "6", "12"]).optional(),
      hb_fq_seller_percent: z.enum(["0", "100"]).optional(),
      sys_service_provider_id: text(64).optional(),
    })
    .optional(),
};
const buyer = {
  buyer_id: z
    .string()
    .regex(/^2088\d{12}$/, "not 16 digits that begin with 2088")
    .optional(),
  buyer_open_id: text(128).optional(),
  op_buyer_open_id: text(128).optional(),
};
const body = z.object({
  ...trade,
  quit_url: text(400).optional(),
  qr_code_timeout_express: duration.optional(),
});
type Body = z.infer<typeof body> & {
  readonly [Name in keyof typeof buyer | "product_code" | "auth_code"]?: string | undefined;
};
/** The product of a request that names none. */
const USUAL_PRODUCT = {
  APP: "QUICK_MSECURITY_PAY",
  H5: "QUICK_WAP_WAY",
  PC: "FAST_INSTANT_TRADE_PAY",
  NATIVE: "FACE_TO_FACE_PAYMENT",
  JSAPI: "FACE_TO_FACE_PAYMENT",
  CODE: "FACE_TO_FACE_PAYMENT",
} as const satisfies Record<PaymentMethod, string>;
const bodies: Readonly<Record<PaymentMethod, z.ZodType<Body>>> = {
  APP: body.extend({ product_code: z.literal("QUICK_MSECURITY_PAY") }),
  H5: body.extend({ product_code: z.literal("QUICK_WAP_WAY") }),
  PC: body.extend({ product_code: z.literal("FAST_INSTANT_TRADE_PAY") }),
  NATIVE: body.extend({ product_code: z.enum(["FACE_TO_FACE_PAYMENT", "QR_CODE_OFFLINE"]).optional() }),
  JSAPI: body
    .extend({ ...buyer, product_code: z.enum(["JSAPI_PAY", "FACE_TO_FACE_PAYMENT"]).optional() })
    .refine((content) => payerIn(content) !== "", {
      path: ["buyer_id"],
      message: "give buyer_id, buyer_open_id or op_buyer_open_id",
    }),
  CODE: body.extend({
    product_code: z.enum(["FACE_TO_FACE_PAYMENT", "OFFLINE_PAYMENT"]).optional(),
    scene: z.literal("bar_code"),
    auth_code: z.string().regex(/^\d{16,30}$/, "not 16 to 30 digits"),
  }),
};

function payerIn({ buyer_id, buyer_open_id, op_buyer_open_id }: Body): string {
  return buyer_id ?? buyer_open_id ?? op_buyer_open_id ?? "";
}

/** The additional members that the merchant asks for. */
const queryOptions = z.array(z.string()).default([]);

const named = { out_trade_no: outTradeNo.optional(), trade_no: text(64).optional() };

const isNamed = (name: { readonly out_trade_no?: unknown; readonly trade_no?: unknown }) =>
  name.out_trade_no !== undefined || name.trade_no !== undefined;
const UNNAMED = "give out_trade_no or trade_no";

/** The schema of a trade's name: one or both numbers. The wallet's own number has priority. */
export const tradeName = z.object(named).refine(isNamed, UNNAMED);
/** The schema of a trade query. */
export const queryContent = z.object({ ...named, query_options: queryOptions }).refine(isNamed, UNNAMED);
/** The schema of a refund request. */
export const refundContent = z
  .object({
    ...named,
    refund_amount: yuan,
    out_request_no: text(64).optional(),
    refund_reason: text(256).optional(),
    query_options: queryOptions,
  })
  .refine(isNamed, UNNAMED);
/** The schema of a refund query. */
export const refundName = z
  .object({ ...named, out_request_no: text(64), query_options: queryOptions })
  .refine(isNamed, UNNAMED);

/** Parses `biz_content` with `schema`. */
export function readContent<T>(
  schema: z.ZodType<T>,
  { biz_content }: SignedParameters,
): Result<T, WalletBRefusal> {
  const value = readJson(z.record(z.string(), z.unknown()), biz_content ?? "");
  if (value === undefined) return err(business("ACQ.INVALID_PARAMETER", "biz_content is not a JSON object"));
  const result = schema.safeParse(value);
  if (result.success) return ok(result.data);
  const [issue] = result.error.issues;
  const where = issue?.path.join(".") ?? "";
  return err(
    business("ACQ.INVALID_PARAMETER", `${where === "" ? "biz_content" : where} ${issue?.message ?? ""}`),
  );
}

/** The schema of the payment code in a pay request that was parsed before. */
export const payCodeContent = z.object({ auth_code: z.string() });

/** Parses a pay request of Alipay into the terms of an order. */
export function readTrade(
  paySource: PaymentMethod,
  parameters: SignedParameters,
  { appId, sellerId, authAppId, products }: Pick<KnownApp, "appId" | "sellerId" | "authAppId" | "products">,
  now: number,
): Result<Terms, WalletBRefusal> {
  const notifyUrl = parameters["notify_url"] ?? "";
  if (notifyUrl !== "" && (notifyUrl.length > 256 || !isNotifiable(notifyUrl)))
    return err(
      business(
        "ACQ.INVALID_PARAMETER",
        "notify_url is not https (http is for loopback addresses only), or too long",
      ),
    );
  return readContent(bodies[paySource], parameters).andThen((body) => {
    if (body.seller_id !== undefined && body.seller_id !== sellerId)
      return err(business("ACQ.INVALID_PARAMETER", "seller_id is not this app's"));
    const product = body.product_code ?? USUAL_PRODUCT[paySource];
    if (products !== undefined && !products.includes(product)) return err(business("ACQ.ACCESS_FORBIDDEN"));
    const { body: details, passback_params: passback } = body;
    if (body.enable_pay_channels !== undefined && body.disable_pay_channels !== undefined)
      return err(business("ACQ.INVALID_PARAMETER", "give enable_pay_channels or disable_pay_channels"));
    const stated = body.time_expire === undefined ? undefined : instantOfChinaTime(body.time_expire);
    const lasting =
      body.timeout_express === undefined ? TO_PAY[paySource] : lengthOf(body.timeout_express, now);
    return ok({
      merchantId: sellerId,
      walletAppId: authAppId ?? appId,
      ...(authAppId === undefined ? {} : { provider: { id: "", appId } }),
      outTradeNo: body.out_trade_no,
      amount: body.total_amount,
      goodsTitle: body.subject,
      paySource,
      payerId: payerIn(body),
      notifyUrl,
      expiresAt: stated ?? now + lasting,
      // The return address and the scanned code are not terms of the trade, so a repeated request
      // may change them.
      frozen: canonicalText([
        canonicalWithout(JSON.parse(parameters["biz_content"] ?? ""), "quit_url", "auth_code"),
        notifyUrl,
      ]),
      echoed: {
        ...(details === undefined ? {} : { body: details }),
        ...(passback === undefined ? {} : { passback_params: passback }),
      },
    });
  });
}

function lengthOf(duration: string, now: number): number {
  // The end of the day in China, which has no daylight saving time.
  if (duration === "1c") return DAY - ((now + 8 * HOUR) % DAY);
  const unit = { m: MINUTE, h: HOUR, d: DAY }[duration.slice(-1)] ?? MINUTE;
  return Number(duration.slice(0, -1)) * unit;
}
