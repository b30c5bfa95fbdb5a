import type { WalletRefund } from "@tillkit/core";
import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import { evidenceDigest } from "../evidence-digest.js";
import { instantOf } from "../times.js";

const facts = {
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  // Tillkit makes refunds in CNY only.
  amount: z.object({ refund: z.int().nonnegative(), currency: z.literal("CNY").optional() }),
  user_received_account: z.string().optional(),
  success_time: z.string().optional(),
};
const answer = z.object({ ...facts, status: z.string() });
const resource = z.object({ ...facts, mchid: z.string(), refund_status: z.string() });

const STATES: Readonly<Record<string, WalletRefund["state"]>> = {
  SUCCESS: "CONFIRMED",
  CLOSED: "FAILED",
  ABNORMAL: "ABNORMAL",
};
/** Matches a refund receiver that is the merchant's own account, basic or settlement. */
const MERCHANT_ACCOUNT = /^商户(基本账户|结算银行账户)/;

/**
 * Reads a refund from a response of WeChat Pay.
 *
 * The response does not contain the merchant, so the caller passes `merchantId`.
 * @returns `undefined` if the body is not a refund.
 */
export function readRefundAnswer(body: Uint8Array, merchantId: string): WalletRefund | undefined {
  const stated = readJson(answer, body);
  return stated === undefined ? undefined : refundOf(stated, merchantId, stated.status);
}

/**
 * Reads a refund from the decrypted resource of a notification.
 *
 * @returns `undefined` if the text is not a refund.
 */
export function readRefundResource(text: string): WalletRefund | undefined {
  const stated = readJson(resource, text);
  return stated === undefined ? undefined : refundOf(stated, stated.mchid, stated.refund_status);
}

function refundOf(
  stated: Omit<z.infer<typeof answer>, "status">,
  merchantId: string,
  status: string,
): WalletRefund {
  const { out_trade_no: outTradeNo, out_refund_no: refundNo, refund_id: walletRefundNo, amount } = stated;
  const refundedAt = instantOf(stated.success_time ?? "");
  const toMerchant = MERCHANT_ACCOUNT.test(stated.user_received_account ?? "");
  return {
    state: STATES[status] ?? "PROCESSING",
    outTradeNo,
    refundNo,
    merchantId,
    amount: amount.refund,
    walletRefundNo,
    ...(refundedAt === undefined ? {} : { refundedAt }),
    ...(toMerchant ? { toMerchant } : {}),
    evidence: evidenceDigest([merchantId, outTradeNo, refundNo, walletRefundNo, status, amount.refund]),
  };
}
