import type { WalletRefund } from "@tillkit/core";
import { z } from "zod";
import { evidenceOf } from "../evidence.js";
import { readJson } from "../read-json.js";

const facts = {
  out_trade_no: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string(),
  // A refund in another currency is none of ours.
  amount: z.object({ refund: z.int().nonnegative(), currency: z.literal("CNY").optional() }),
};
const answer = z.object({ ...facts, status: z.string() });
const resource = z.object({ ...facts, mchid: z.string(), refund_status: z.string() });

/** Reads a refund from WeChat Pay's answer, which names no merchant: it is the one who asked. `undefined` when it is none. */
export function readRefundAnswer(body: Uint8Array, merchantId: string): WalletRefund | undefined {
  const stated = readJson(answer, body);
  return stated === undefined ? undefined : refundOf(stated, merchantId, stated.status);
}

/** Reads a refund from the decrypted resource of a notification; `undefined` when it is none. */
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
  return {
    // ABNORMAL needs a person at the wallet and is not the end.
    state: status === "SUCCESS" ? "CONFIRMED" : status === "CLOSED" ? "FAILED" : "PROCESSING",
    outTradeNo,
    refundNo,
    merchantId,
    amount: amount.refund,
    walletRefundNo,
    evidence: evidenceOf([merchantId, outTradeNo, refundNo, walletRefundNo, status, amount.refund]),
  };
}
