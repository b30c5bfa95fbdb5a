import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { isNotifiable } from "../wire/notify-url.js";
import type { WalletARefusal } from "./answers.js";

// WALLET_A counts bytes: its own refusals of too long a text say 字节数.
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

const prepay = z.object({
  appid: text(32),
  mchid: text(32),
  description: text(127),
  out_trade_no: outTradeNo,
  time_expire: instant.optional(),
  attach: text(128).optional(),
  notify_url: url(255),
  goods_tag: text(32).optional(),
  amount: z.object({ total: cents, currency: z.literal("CNY").default("CNY") }),
  scene_info: z.object({ payer_client_ip: text(45), device_id: text(32).optional() }).optional(),
});
const h5Prepay = prepay.extend({
  scene_info: z.object({
    payer_client_ip: text(45),
    h5_info: z.object({ type: z.enum(["iOS", "Android", "Wap"]) }),
  }),
});

/** What a merchant sends to have an order taken, by the way it will be paid. */
export const PREPAY_BODIES = { APP: prepay, NATIVE: prepay, H5: h5Prepay } as const;

/** What a merchant sends to close an order. */
export const closeBody = z.object({ mchid: text(32) });

/** What a merchant sends to have money sent back. The order is named in one of two ways. */
export const refundBody = z
  .object({
    transaction_id: text(32).optional(),
    out_trade_no: outTradeNo.optional(),
    out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/, "1 to 64 of 0-9 A-Z a-z _ - | * @"),
    reason: text(80).optional(),
    notify_url: url(256).optional(),
    amount: z.object({ refund: cents, total: cents, currency: z.literal("CNY") }),
  })
  .refine((body) => body.transaction_id !== undefined || body.out_trade_no !== undefined, {
    path: ["out_trade_no"],
    message: "give transaction_id or out_trade_no",
  });

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads the JSON body of a request by `schema`; also gives the value as it was sent, for whoever compares repetitions. */
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
  return refused(
    (issue?.path ?? []).map((step) => `/${String(step)}`).join(""),
    issue?.message ?? "not valid",
  );
}

function parsed(bytes: Uint8Array): object | undefined {
  try {
    const source = utf8.decode(bytes);
    const value: unknown = JSON.parse(source);
    // WALLET_A keeps characters of one to three bytes: those beyond fail, written raw or escaped.
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
