import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { LedgerOrder } from "../ledger-order.js";
import { SUB_MERCHANTS, type WalletAMerchant } from "../merchant.js";
import { instantOfRfc3339 } from "../shared/china-time.js";
import { readJson } from "../shared/json.js";
import type { AccessTokens } from "./access-tokens.js";
import { LOGISTICS_TYPES, type OrderName, type Shipments } from "./shipments.js";

/** An error code of WeChat with its text. */
export interface MiniProgramError {
  readonly errcode: number;
  readonly errmsg: string;
}

/** The members of an answer beside `errcode` and `errmsg`, or an error. */
export type MiniProgramResult = Result<object, MiniProgramError>;

/** The dependencies of the API of mini-programs. */
export interface MiniProgramCallsOptions {
  readonly merchant: WalletAMerchant;
  readonly tokens: AccessTokens;
  readonly shipments: Shipments;
  readonly clock: { now(): number };
}

/** The calls of the API of mini-programs. `token` is absent if the request has none. */
export interface MiniProgramCalls {
  issueToken(body: Uint8Array): MiniProgramResult;
  report(token: string | null, body: Uint8Array): MiniProgramResult;
  find(token: string | null, body: Uint8Array): MiniProgramResult;
}

const tokenBody = z.object({
  grant_type: z.string().default(""),
  appid: z.string().default(""),
  secret: z.string().default(""),
});
const reportBody = z.object({
  order_key: z.object({
    order_number_type: z.union([z.literal(1), z.literal(2)]),
    transaction_id: z.string().optional(),
    mchid: z.string().optional(),
    out_trade_no: z.string().optional(),
  }),
  logistics_type: z.int(),
  delivery_mode: z.union([z.literal(1), z.literal(2)]),
  is_all_delivered: z.boolean().optional(),
  shipping_list: z
    .array(
      z.object({
        tracking_no: z.string().optional(),
        express_company: z.string().optional(),
        item_desc: z.string().default(""),
      }),
    )
    .min(1)
    .max(15),
  upload_time: z.string(),
  payer: z.object({ openid: z.string() }),
});
const queryBody = z.object({
  transaction_id: z.string().optional(),
  merchant_id: z.string().optional(),
  merchant_trade_no: z.string().optional(),
});

const MAX_ITEM = 120;
/** WeChat refuses older times, but does not document the limit. The sandbox uses one day. */
const OLDEST_UPLOAD_MS = 86_400_000;
/** The states of an order: waits for its delivery, delivered, refunded. */
const STATES = { frozen: 1, reported: 2, refunded: 5 } as const;

/** Opens the calls over the deliveries of one sandbox. */
export function miniProgramCalls({
  merchant,
  tokens,
  shipments,
  clock,
}: MiniProgramCallsOptions): MiniProgramCalls {
  const secrets = new Map(
    [merchant, ...SUB_MERCHANTS.map(({ walletA }) => walletA)].map((one) => [one.appid, one.appSecret]),
  );

  function appOf(token: string | null): Result<string, MiniProgramError> {
    if (token === null || token === "") return failed(41001, "access_token missing");
    const state = tokens.find(token);
    if (state === "unknown")
      return failed(40001, "invalid credential, access_token is invalid or not latest");
    return state === "expired" ? failed(42001, "access_token expired") : ok(state.appid);
  }

  function listed(appid: string, name: OrderName | undefined): Result<LedgerOrder, MiniProgramError> {
    const order = name === undefined ? undefined : shipments.find(appid, name);
    return order === undefined ? failed(10060001, "支付单不存在") : ok(order);
  }

  return {
    issueToken: (bytes) => {
      const body = readJson(tokenBody, bytes);
      if (body === undefined) return failed(47001, "data format error");
      if (body.grant_type !== "client_credential") return failed(40002, "invalid grant_type");
      const secret = secrets.get(body.appid);
      if (secret === undefined) return failed(40013, "invalid appid");
      if (body.secret !== secret) return failed(40125, "invalid appsecret");
      const { token, expiresIn } = tokens.issue(body.appid);
      return ok({ access_token: token, expires_in: expiresIn });
    },
    report: (token, bytes) =>
      appOf(token).andThen((appid): MiniProgramResult => {
        const body = readJson(reportBody, bytes);
        if (body === undefined) return failed(47001, "data format error");
        const uploadedAt = instantOfRfc3339(body.upload_time);
        if (uploadedAt === undefined) return failed(47001, "data format error: upload_time");
        if (/\.0+\D/.test(body.upload_time) || clock.now() - uploadedAt > OLDEST_UPLOAD_MS)
          return failed(268485216, "上传时间非法，请按照 RFC 3339 格式填写");
        const logisticsType = LOGISTICS_TYPES.find((type) => type === body.logistics_type);
        if (logisticsType === undefined) return failed(10060005, "物流类型有误");
        if (body.delivery_mode === 2 && logisticsType !== 1)
          return failed(10060006, "非快递发货时不允许分拆发货");
        const [item] = body.shipping_list;
        const itemDesc = item?.item_desc ?? "";
        if (itemDesc.trim() === "") return failed(10060008, "商品描述不能为空");
        if ([...itemDesc].length > MAX_ITEM) return failed(10060009, "商品描述过长");
        if (logisticsType === 1 && !item?.tracking_no) return failed(268485226, "物流单号不能为空");
        if (logisticsType === 1 && !item?.express_company) return failed(268485227, "物流公司编码不能为空");
        const { transaction_id, mchid, out_trade_no, order_number_type } = body.order_key;
        const name =
          order_number_type === 2 ? transactionName(transaction_id) : merchantName(mchid, out_trade_no);
        return listed(appid, name).andThen((order): MiniProgramResult => {
          const { terms } = order;
          if (terms.payerId !== body.payer.openid)
            return failed(10060031, "支付单不属于 openid 所指定的用户");
          if (shipments.stateOf(order) === "refunded") return failed(10060004, "支付单处于不可发货的状态");
          const { outTradeNo } = terms;
          switch (shipments.store({ outTradeNo, logisticsType, itemDesc, uploadedAt })) {
            case "stored":
              return ok({});
            case "unchanged":
              return failed(10060023, "发货信息未更新");
            case "no-chance-left":
              return failed(10060003, "支付单已使用重新发货机会");
          }
        });
      }),
    find: (token, bytes) =>
      appOf(token).andThen((appid): MiniProgramResult => {
        const body = readJson(queryBody, bytes);
        if (body === undefined) return failed(47001, "data format error");
        const { transaction_id, merchant_id, merchant_trade_no } = body;
        const name = transactionName(transaction_id) ?? merchantName(merchant_id, merchant_trade_no);
        return listed(appid, name).map((order) => ({ order: orderJson(order) }));
      }),
  };

  function orderJson(order: LedgerOrder): object {
    const { terms, walletTradeNo, paidAt } = order;
    return {
      transaction_id: walletTradeNo,
      merchant_id: terms.provider?.id ?? terms.merchantId,
      ...(terms.provider === undefined ? {} : { sub_merchant_id: terms.merchantId }),
      merchant_trade_no: terms.outTradeNo,
      description: terms.goodsTitle,
      paid_amount: terms.amount,
      openid: terms.payerId,
      trade_create_time: Math.floor((order.openedAt ?? paidAt ?? 0) / 1_000),
      pay_time: Math.floor((paidAt ?? 0) / 1_000),
      order_state: STATES[shipments.stateOf(order)],
      in_complaint: false,
    };
  }
}

function transactionName(transactionId: string | undefined): OrderName | undefined {
  return transactionId === undefined ? undefined : { transactionId };
}

function merchantName(mchid: string | undefined, outTradeNo: string | undefined): OrderName | undefined {
  return mchid === undefined || outTradeNo === undefined ? undefined : { mchid, outTradeNo };
}

function failed(errcode: number, errmsg: string) {
  return err<never, MiniProgramError>({ errcode, errmsg });
}
