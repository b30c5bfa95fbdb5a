import type { PaymentRequest, WalletRefundRequest } from "@tillkit/core/ports";
import { NOW } from "./keys.js";

/** An order of one yuan that expires in two hours. */
export const request: PaymentRequest = {
  outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  amount: 100,
  goodsTitle: "VIP 会员",
  paySource: "NATIVE",
  notifyUrl: "https://svc.example/notify/wechat",
  returnUrl: "https://svc.example/return",
  expiresAt: NOW + 7_200_000,
};

/** A refund of half of the order. */
export const refundRequest: WalletRefundRequest = {
  outTradeNo: request.outTradeNo,
  refundNo: "R-1|a@b",
  amount: 50,
  orderAmount: 100,
  reason: "returned",
  notifyUrl: request.notifyUrl,
};

/** Deadline in milliseconds for tests that do not measure time. */
export const LIMITS = { deadline: 60_000 };
