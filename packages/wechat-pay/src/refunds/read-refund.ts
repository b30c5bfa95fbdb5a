import type { WalletAccount } from "@tillkit/core";
import type { WalletRefund } from "@tillkit/core/ports";
import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import { evidenceDigest } from "../evidence-digest.js";
import { instantOf } from "../times.js";

const refundFacts = z.object({
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  transaction_id: z.string().optional(),
  // Tillkit makes refunds in CNY only.
  amount: z.object({ refund: z.int().nonnegative(), currency: z.literal("CNY").optional() }),
  user_received_account: z.string().optional(),
  success_time: z.string().optional(),
});
const answer = refundFacts.extend({
  status: z.string(),
  sp_mchid: z.string().optional(),
  sub_mchid: z.string().optional(),
});
const facts = refundFacts.extend({ refund_status: z.string() });
const resource = z.union([
  facts.extend({ mchid: z.string() }),
  facts.extend({ sp_mchid: z.string(), sub_mchid: z.string() }),
]);

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
 * The documented response does not contain the merchant, so the refund gets that of the account. If
 * the response contains `sub_mchid` or `sp_mchid`, these numbers are used instead.
 * @returns `undefined` if the body is not a refund.
 */
export function readRefundAnswer(
  body: Uint8Array,
  { accountId, provider }: WalletAccount,
): WalletRefund | undefined {
  const stated = readJson(answer, body);
  if (stated === undefined) return undefined;
  const { sub_mchid: merchantId = accountId, sp_mchid: providerId = provider?.accountId } = stated;
  return refundOf(stated, { merchantId, providerId }, stated.status);
}

/**
 * Reads a refund from the decrypted resource of a notification.
 *
 * @returns `undefined` if the text is not a refund.
 */
export function readRefundResource(text: string): WalletRefund | undefined {
  const stated = readJson(resource, text);
  if (stated === undefined) return undefined;
  const merchant =
    "mchid" in stated
      ? { merchantId: stated.mchid, providerId: undefined }
      : { merchantId: stated.sub_mchid, providerId: stated.sp_mchid };
  return refundOf(stated, merchant, stated.refund_status);
}

function refundOf(
  stated: z.infer<typeof refundFacts>,
  { merchantId, providerId }: { readonly merchantId: string; readonly providerId: string | undefined },
  status: string,
): WalletRefund {
  const { out_trade_no: outTradeNo, out_refund_no: refundNo, refund_id: walletRefundNo, amount } = stated;
  const refundedAt = instantOf(stated.success_time ?? "");
  const { transaction_id: walletTradeNo } = stated;
  const toMerchant = MERCHANT_ACCOUNT.test(stated.user_received_account ?? "");
  return {
    state: STATES[status] ?? "PROCESSING",
    outTradeNo,
    refundNo,
    merchantId,
    ...(providerId === undefined ? {} : { providerId }),
    amount: amount.refund,
    walletRefundNo,
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(refundedAt === undefined ? {} : { refundedAt }),
    ...(toMerchant ? { toMerchant } : {}),
    evidence: evidenceDigest([
      merchantId,
      outTradeNo,
      refundNo,
      walletRefundNo,
      status,
      amount.refund,
      ...(providerId === undefined ? [] : [providerId]),
    ]),
  };
}
