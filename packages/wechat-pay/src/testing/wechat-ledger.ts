import { randomBytes } from "node:crypto";
import type { PayPayload, RawNotification, WalletAJsapiPayload } from "@tillkit/core";
import { Aes, Formatter, Rsa } from "wechatpay-axios-plugin";
import * as z from "zod";
import * as keys from "./keys.js";
import { signedHeaders, type WireCall, type WireReply } from "./wechat-wire.js";

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= max);

const order = z.strictObject({
  appid: z.literal(keys.account.walletAppId),
  mchid: z.literal(keys.account.accountId),
  description: bytes(127),
  out_trade_no: z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/),
  time_expire: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
  notify_url: z
    .string()
    .max(255)
    .regex(/^https:\/\/[^?]+$/),
  amount: z.strictObject({ total: z.int().positive(), currency: z.literal("CNY") }),
  scene_info: z
    .strictObject({
      payer_client_ip: z.string().min(1).max(45),
      h5_info: z.strictObject({ type: z.literal("Wap") }),
    })
    .optional(),
  payer: z.strictObject({ openid: z.string().min(1).max(128) }).optional(),
});

const refund = z.strictObject({
  out_trade_no: z.string(),
  out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/),
  reason: bytes(80),
  notify_url: z.string().max(256),
  amount: z.strictObject({ refund: z.int().positive(), total: z.int(), currency: z.literal("CNY") }),
});

interface Trade {
  readonly frozen: string;
  readonly terms: z.infer<typeof order>;
  readonly openedBy: Set<string>;
  state: "NOTPAY" | "SUCCESS" | "CLOSED" | "REFUND";
  transactionId?: string;
  paidAt?: string;
  readonly refunds: Map<string, { readonly id: string; readonly terms: z.infer<typeof refund> }>;
}

/** A WeChat Pay server in memory: its API, and payments by customers. */
export interface WechatLedger {
  answer(call: WireCall): WireReply;
  pay(outTradeNo: string, payload: PayPayload): boolean;
  /** The merchant's balance in cents. */
  balance(): number;
  readonly sent: readonly RawNotification[];
}

/** Creates a server without orders. */
export function wechatLedger(now: () => number): WechatLedger {
  const trades = new Map<string, Trade>();
  const sent: RawNotification[] = [];

  function prepay(kind: string, text: string): WireReply {
    const read = order.safeParse(JSON.parse(text));
    if (!read.success || (kind === "h5") !== (read.data.scene_info !== undefined))
      return no(400, "PARAM_ERROR", read.error?.issues[0]?.path.join("/") ?? "scene_info");
    if ((kind === "jsapi") !== (read.data.payer !== undefined)) return no(400, "PARAM_ERROR", "payer");
    const terms = read.data;
    const frozen = JSON.stringify([kind, terms]);
    const fresh: Trade = { frozen, terms, openedBy: new Set(), state: "NOTPAY", refunds: new Map() };
    const trade = trades.get(terms.out_trade_no) ?? fresh;
    if (trade.state === "SUCCESS" || trade.state === "REFUND") return no(400, "ORDERPAID");
    if (trade.state === "CLOSED") return no(400, "ORDER_CLOSED");
    if (trade.frozen !== frozen) return no(403, "OUT_TRADE_NO_USED");
    trades.set(terms.out_trade_no, trade);
    const token = randomBytes(16).toString("hex");
    const values = {
      app: { prepay_id: `wx${token}` },
      jsapi: { prepay_id: `wx${token}` },
      native: { code_url: `weixin://wxpay/bizpayurl?pr=${token}` },
      h5: { h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${token}&package=1` },
    }[kind];
    if (values === undefined) return no(404, "RESOURCE_NOT_EXISTS");
    for (const value of Object.values(values)) trade.openedBy.add(`${kind} ${value}`);
    return yes(values);
  }

  function close(trade: Trade | undefined): WireReply {
    if (trade === undefined) return no(404, "ORDER_NOT_EXIST");
    if (trade.state === "SUCCESS" || trade.state === "REFUND") return no(400, "ORDERPAID");
    // WeChat Pay does not always sign a refusal. The test server never signs this one.
    if (trade.state === "CLOSED") return { ...no(400, "ORDERCLOSED"), proof: "none" };
    trade.state = "CLOSED";
    return { status: 204, body: "" };
  }

  function sendBack(text: string): WireReply {
    const read = refund.safeParse(JSON.parse(text));
    if (!read.success) return no(400, "PARAM_ERROR");
    const terms = read.data;
    const trade = trades.get(terms.out_trade_no);
    if (trade?.paidAt === undefined) return no(404, "RESOURCE_NOT_EXISTS");
    const known = trade.refunds.get(terms.out_refund_no);
    if (known !== undefined && JSON.stringify(known.terms) !== JSON.stringify(terms))
      return no(400, "INVALID_REQUEST");
    if (known === undefined) {
      const { total } = trade.terms.amount;
      if (terms.amount.total !== total || refunded(trade) + terms.amount.refund > total)
        return no(403, "NOT_ENOUGH");
      trade.refunds.set(terms.out_refund_no, { id: `50${randomBytes(8).toString("hex")}`, terms });
      trade.state = "REFUND";
      notify("REFUND.SUCCESS", "refund", {
        ...facts(trade, terms.out_refund_no),
        mchid: trade.terms.mchid,
        refund_status: "SUCCESS",
      });
    }
    return yes({ ...facts(trade, terms.out_refund_no), status: "PROCESSING" });
  }

  function notify(event: string, original: string, resource: object): void {
    const nonce = randomBytes(6).toString("hex");
    const body = JSON.stringify({
      id: randomBytes(18).toString("hex"),
      create_time: china(now()),
      resource_type: "encrypt-resource",
      event_type: event,
      summary: "支付成功",
      resource: {
        original_type: original,
        algorithm: "AEAD_AES_256_GCM",
        ciphertext: Aes.AesGcm.encrypt(JSON.stringify(resource), keys.API_V3_KEY, nonce, original),
        associated_data: original,
        nonce,
      },
    });
    const signer = { serial: keys.MODERN_ID, key: keys.modern.privateKey, now: now() };
    sent.push({ headers: new Headers(signedHeaders(body, signer)), body: new TextEncoder().encode(body) });
  }

  return {
    sent,
    answer({ method, target, body }) {
      const { pathname, searchParams } = new URL(target, "http://wechat");
      const path = pathname.replace(/^\/base/, "");
      const [, kind] = /^\/v3\/pay\/transactions\/(app|native|h5|jsapi)$/.exec(path) ?? [];
      if (method === "POST" && kind !== undefined) return prepay(kind, body);
      const [, number = "", closing] =
        /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(path) ?? [];
      const trade = trades.get(decodeURIComponent(number));
      if (method === "POST" && closing !== undefined) return close(trade);
      if (method === "GET" && number !== "" && searchParams.get("mchid") === keys.account.accountId)
        return trade === undefined ? no(404, "ORDER_NOT_EXIST") : yes(transaction(trade));
      if (method === "POST" && path === "/v3/refund/domestic/refunds") return sendBack(body);
      const [, refundNo = ""] = /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/.exec(path) ?? [];
      const holder = [...trades.values()].find(({ refunds }) => refunds.has(decodeURIComponent(refundNo)));
      if (method === "GET" && holder !== undefined)
        return {
          ...yes({ ...facts(holder, decodeURIComponent(refundNo)), status: "SUCCESS" }),
          proof: "public-key",
        };
      return no(404, "RESOURCE_NOT_EXISTS");
    },
    pay(outTradeNo, payload) {
      const trade = trades.get(outTradeNo);
      if (trade?.state !== "NOTPAY" || Date.parse(trade.terms.time_expire) <= now()) return false;
      const opener = openerOf(payload);
      if (opener === undefined || !trade.openedBy.has(opener)) return false;
      trade.state = "SUCCESS";
      trade.paidAt = china(now());
      trade.transactionId = `42${randomBytes(8).toString("hex")}`;
      notify("TRANSACTION.SUCCESS", "transaction", transaction(trade));
      return true;
    },
    balance: () =>
      [...trades.values()]
        .filter(({ paidAt }) => paidAt !== undefined)
        .reduce((sum, trade) => sum + trade.terms.amount.total - refunded(trade), 0),
  };
}

/**
 * Returns the value with which a customer opens the payment, if the payload's signature is valid.
 */
function openerOf(payload: PayPayload): string | undefined {
  if ("code_url" in payload) return `native ${payload.code_url}`;
  if ("h5_url" in payload) return `h5 ${payload.h5_url}`;
  if ("paySign" in payload) return jsapiOpenerOf(payload);
  if (!("prepayid" in payload)) return undefined;
  const { appid, partnerid, timestamp, noncestr, prepayid, sign } = payload;
  const text = Formatter.joinedByLineFeed(appid, String(timestamp), noncestr, prepayid);
  const genuine =
    Rsa.verify(text, sign, keys.merchant.publicKey) &&
    appid === keys.account.walletAppId &&
    partnerid === keys.account.accountId &&
    payload.package === "Sign=WXPay";
  return genuine ? `app ${prepayid}` : undefined;
}

function jsapiOpenerOf(payload: WalletAJsapiPayload): string | undefined {
  const { appId, timeStamp, nonceStr, paySign } = payload;
  const text = Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, payload.package);
  const genuine =
    Rsa.verify(text, paySign, keys.merchant.publicKey) &&
    appId === keys.account.walletAppId &&
    /^[0-9]{10}$/.test(timeStamp);
  const [, prepayId] = /^prepay_id=(.+)$/.exec(payload.package) ?? [];
  return genuine && prepayId !== undefined ? `jsapi ${prepayId}` : undefined;
}

function transaction({ terms, state, transactionId, paidAt }: Trade): object {
  const { appid, mchid, out_trade_no, amount } = terms;
  const stated = { appid, mchid, out_trade_no, trade_state: state, trade_state_desc: state };
  if (paidAt === undefined) return { ...stated, amount: { total: amount.total } };
  return {
    ...stated,
    trade_type: "APP",
    transaction_id: transactionId,
    bank_type: "OTHERS",
    success_time: paidAt,
    payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    // The customer used a coupon.
    amount: { total: amount.total, payer_total: amount.total - 1, currency: "CNY", payer_currency: "CNY" },
  };
}

function facts(trade: Trade, refundNo: string): object {
  const made = trade.refunds.get(refundNo);
  return {
    refund_id: made?.id,
    out_refund_no: refundNo,
    transaction_id: trade.transactionId,
    out_trade_no: trade.terms.out_trade_no,
    user_received_account: "CFT",
    amount: { total: trade.terms.amount.total, refund: made?.terms.amount.refund },
  };
}

function refunded({ refunds }: Trade): number {
  return [...refunds.values()].reduce((sum, { terms }) => sum + terms.amount.refund, 0);
}

function china(instant: number): string {
  return `${new Date(instant + 28_800_000).toISOString().slice(0, 19)}+08:00`;
}

function yes(body: object): WireReply {
  return { status: 200, body: JSON.stringify(body) };
}

function no(status: number, code: string, field?: string): WireReply {
  const detail = field === undefined ? {} : { detail: { field, location: "body" } };
  return { status, body: JSON.stringify({ code, message: `no: ${code}`, ...detail }) };
}
