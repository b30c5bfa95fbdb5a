import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { yuanText } from "@tillkit/core";
import type { BillContents, Movement } from "../bills/movements.js";
import type { WrittenBill } from "../bills/shelf.js";
import { chinaTime } from "../shared/china-time.js";

const COLUMNS =
  "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额," +
  "微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
const TOTALS = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额";
const PAYER = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
/** Empty lines that make a bill too long, in bytes; as gzip they are few. */
const PADDING = 4 * 1024 * 1024;

/** Writes a bill of WALLET_A: UTF-8 with a byte order mark, a back-tick before every field, the totals at the end; as gzip. */
export function writeWalletABill(
  { lines, stated }: BillContents,
  refundTakes: number,
  madeAt: number,
  spoilt: "digest" | "long" | null,
): WrittenBill {
  const textOf = (movements: readonly Movement[]) => {
    const rows = movements.map((movement) => row(fieldsOf(movement, refundTakes, madeAt)));
    return ["\uFEFF" + COLUMNS, ...rows, TOTALS, row(totalsOf(stated)), ""].join("\r\n");
  };
  const printed = textOf(lines) + (spoilt === "long" ? "\n".repeat(PADDING) : "");
  // The digest is of what the wallet wrote, also where the file was changed after that.
  const text = spoilt === "digest" ? `${textOf(stated)} ` : spoilt === "long" ? printed : textOf(stated);
  return { file: gzipSync(printed), text: Buffer.from(text) };
}

/** The digest of a bill's text, as WALLET_A states it. */
export function digestOf(text: Uint8Array): string {
  return createHash("sha1").update(text).digest("hex");
}

function fieldsOf(
  { order, refund, amount, at }: Movement,
  refundTakes: number,
  madeAt: number,
): readonly string[] {
  const { terms, walletTradeNo } = order;
  const paid = refund === undefined ? yuanText(amount) : "0.00";
  const sentBack = refund === undefined ? "0.00" : yuanText(amount);
  const status = refund === undefined ? "" : refund.at + refundTakes <= madeAt ? "SUCCESS" : "PROCESSING";
  return [
    chinaTime(at),
    terms.walletAppId,
    terms.merchantId,
    "0",
    "",
    walletTradeNo,
    terms.outTradeNo,
    PAYER,
    terms.paySource === "H5" ? "MWEB" : terms.paySource,
    refund === undefined ? "SUCCESS" : "REFUND",
    "OTHERS",
    "CNY",
    paid,
    "0.00",
    refund?.walletRefundNo ?? "0",
    refund?.refundNo ?? "0",
    sentBack,
    "0.00",
    refund === undefined ? "" : "ORIGINAL",
    status,
    terms.goodsTitle,
    terms.echoed["attach"] ?? "",
    "0.00000",
    "0.60%",
    paid,
    sentBack,
    "",
  ];
}

function totalsOf(movements: readonly Movement[]): readonly string[] {
  const sum = (back: boolean) =>
    yuanText(
      movements
        .filter(({ refund }) => (refund !== undefined) === back)
        .reduce((total, { amount }) => total + amount, 0),
    );
  return [String(movements.length), sum(false), sum(true), "0.00", "0.00000", sum(false), sum(true)];
}

function row(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}`).join(",");
}
