import { isIP } from "node:net";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { isNotifiable } from "../wire/notify-url.js";
import type { WalletARefusal } from "./answers.js";
import type { WalletAMethod } from "./prepayment.js";

// WeChat Pay limits texts in bytes: its error messages for long texts say 字节数.
const text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((value) => Buffer.byteLength(value) <= max, {
      error: ({ input }) => `字节数 ${Buffer.byteLength(String(input))}，大于最大值 ${max}`,
    });
const outTradeNo = z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/, "6 to 32 of 0-9 A-Z a-z _ - | *");
const cents = z.int().min(1).max(2_147_483_647);
const instant = z
  .string()
  .max(64)
  .refine((value) => instantOfRfc3339(value) !== undefined, "not RFC 3339 with an offset");
const url = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isNotifiable, "not https (http is for loopback addresses only)")
    .refine((value) => !/[?#]/.test(value), "has a query or a fragment");

const address = text(45).refine((value) => isIP(value) !== 0, "not an address of IPv4 or IPv6");

// Only the documented members: WeChat Pay refuses unknown ones.
const scene = {
  payer_client_ip: address,
  device_id: text(32).optional(),
  store_info: z
    .strictObject({
      id: text(32),
      name: text(256).optional(),
      area_code: text(32).optional(),
      address: text(512).optional(),
    })
    .optional(),
};
const prepay = z.strictObject({
  appid: text(32),
  mchid: text(32),
  description: text(127),
  out_trade_no: outTradeNo,
  time_expire: instant.optional(),
  attach: text(128).optional(),
  notify_url: url(255),
  goods_tag: text(32).optional(),
  limit_pay: z
    .array(z.enum(["no_balance", "no_credit", "no_debit", "balance_only"]))
    .min(1)
    .optional(),
  support_fapiao: z.boolean().optional(),
  amount: z.strictObject({ total: cents, currency: z.literal("CNY").default("CNY") }),
  detail: z
    .strictObject({
      cost_price: cents.optional(),
      invoice_id: text(32).optional(),
      goods_detail: z
        .array(
          z.strictObject({
            merchant_goods_id: text(32),
            wechatpay_goods_id: text(32).optional(),
            goods_name: text(256).optional(),
            quantity: z.int().min(1),
            unit_price: cents,
          }),
        )
        .optional(),
    })
    .refine((detail) => Buffer.byteLength(JSON.stringify(detail)) <= 6_144, "字节数大于最大值 6144")
    .optional(),
  scene_info: z.strictObject(scene).optional(),
  settle_info: z.strictObject({ profit_sharing: z.boolean().optional() }).optional(),
});
const h5Prepay = prepay.extend({
  scene_info: z.strictObject({
    ...scene,
    h5_info: z.strictObject({
      type: z.enum(["iOS", "Android", "Wap"]),
      app_name: text(64).optional(),
      app_url: text(128).optional(),
      bundle_id: text(128).optional(),
      package_name: text(128).optional(),
    }),
  }),
});
const jsapiPrepay = prepay.extend({ payer: z.strictObject({ openid: text(128) }) });

/** The members of a prepay request. */
export type PrepayBody = z.infer<typeof prepay> & {
  readonly payer?: { readonly openid: string } | undefined;
};

/** The schemas of a prepay request, by way to pay. */
export const PREPAY_BODIES: Readonly<Record<WalletAMethod, z.ZodType<PrepayBody>>> = {
  APP: prepay,
  NATIVE: prepay,
  H5: h5Prepay,
  JSAPI: jsapiPrepay,
};

const ofProvider = {
  sp_appid: text(32),
  sp_mchid: text(32),
  sub_appid: text(32).optional(),
  sub_mchid: text(32),
};
const partnerPayer = z
  .strictObject({ sp_openid: text(128).optional(), sub_openid: text(128).optional() })
  .refine(({ sp_openid, sub_openid }) => (sp_openid === undefined) !== (sub_openid === undefined), {
    message: "give one of sp_openid and sub_openid",
  });
const partnerPrepay = prepay.omit({ appid: true, mchid: true }).extend(ofProvider);
const partnerH5Prepay = h5Prepay.omit({ appid: true, mchid: true }).extend(ofProvider);
const partnerJsapiPrepay = partnerPrepay.extend({ payer: partnerPayer });

type PartnerPrepayBody = z.infer<typeof partnerPrepay> & {
  readonly payer?: z.infer<typeof partnerPayer> | undefined;
};

/** The schemas of a service provider's prepay request, by way to pay. */
export const PARTNER_PREPAY_BODIES: Readonly<Record<WalletAMethod, z.ZodType<PartnerPrepayBody>>> = {
  APP: partnerPrepay,
  NATIVE: partnerPrepay,
  H5: partnerH5Prepay,
  JSAPI: partnerJsapiPrepay,
};

/** The schema of a close request. */
export const closeBody = z.strictObject({ mchid: text(32) });
/** The schema of a service provider's close request. */
export const partnerCloseBody = z.strictObject({ sp_mchid: text(32), sub_mchid: text(32) });

const outRefundNo = z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/, "1 to 64 of 0-9 A-Z a-z _ - | * @");
/** The schema of a refund request. It names the order by `transaction_id` or by `out_trade_no`. */
export const refundBody = z
  .strictObject({
    sub_mchid: text(32).optional(),
    transaction_id: text(32).optional(),
    out_trade_no: outTradeNo.optional(),
    out_refund_no: outRefundNo,
    reason: text(80).optional(),
    notify_url: url(256).optional(),
    funds_account: z.enum(["AVAILABLE", "UNSETTLED"]).optional(),
    amount: z.strictObject({
      refund: cents,
      total: cents,
      currency: z.literal("CNY"),
      from: z
        .array(z.strictObject({ account: z.enum(["AVAILABLE", "UNAVAILABLE"]), amount: cents }))
        .optional(),
    }),
    goods_detail: z
      .array(
        z.strictObject({
          merchant_goods_id: text(32),
          wechatpay_goods_id: text(32).optional(),
          goods_name: text(256).optional(),
          unit_price: cents,
          refund_amount: cents,
          refund_quantity: z.int().min(1),
        }),
      )
      .optional(),
  })
  .refine((body) => body.transaction_id !== undefined || body.out_trade_no !== undefined, {
    path: ["out_trade_no"],
    message: "give transaction_id or out_trade_no",
  });

/**
 * The schema of a request that redirects an abnormal refund.
 *
 * The bank account and the name are encrypted.
 */
export const abnormalRefundBody = z
  .strictObject({
    sub_mchid: text(32).optional(),
    out_refund_no: outRefundNo,
    type: z.enum(["USER_BANK_CARD", "MERCHANT_BANK_CARD"]),
    bank_type: text(16).optional(),
    bank_account: text(1024).optional(),
    real_name: text(1024).optional(),
  })
  .superRefine((body, context) => {
    if (body.type !== "USER_BANK_CARD") return;
    for (const name of ["bank_type", "bank_account", "real_name"] as const)
      if (body[name] === undefined)
        context.addIssue({ code: "custom", path: [name], message: "required for USER_BANK_CARD" });
  });

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body with `schema`.
 *
 * Also returns the value as it was sent, to compare it with a repeated request.
 */
export function readBody<T>(
  schema: z.ZodType<T>,
  bytes: Uint8Array,
): Result<{ readonly body: T; readonly sent: unknown }, WalletARefusal> {
  const sent = parsed(bytes);
  if (sent === undefined) return refused("", "not a JSON object in UTF-8 without characters of four bytes");
  const strange = nullIn(sent, "");
  if (strange !== undefined) return refused(strange, "null");
  const result = schema.safeParse(sent);
  if (result.success) return ok({ body: result.data, sent });
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => `/${String(step)}`).join("");
  if (issue?.code === "unrecognized_keys") return refused(`${path}/${issue.keys[0] ?? ""}`, UNKNOWN_MEMBER);
  return refused(path, issue?.message ?? "not valid");
}

const UNKNOWN_MEMBER = "请求中含有未在API文档中定义的参数";

function parsed(bytes: Uint8Array): object | undefined {
  try {
    const source = utf8.decode(bytes);
    const value: unknown = JSON.parse(source);
    // WeChat Pay stores characters of one to three bytes. It refuses longer ones, raw or escaped.
    if (/[\u{10000}-\u{10ffff}]/u.test(source) || /\\u[dD][89a-fA-F]/.test(source)) return undefined;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function nullIn(value: unknown, path: string): string | undefined {
  if (value === null) return path;
  if (typeof value !== "object") return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = nullIn(member, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refused(field: string, issue: string) {
  return err<never, WalletARefusal>({ code: "PARAM_ERROR", detail: { field, issue, location: "body" } });
}
