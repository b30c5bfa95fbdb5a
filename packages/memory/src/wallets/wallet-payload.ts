import {
  type PayChannel,
  type PayPayload,
  type PaySource,
  type Prepayment,
  type WalletAccount,
  yuanText,
} from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { sha256 } from "../state/sha256.js";

const CHINA_OFFSET = 8 * 60 * 60_000;

/**
 * Creates a payload in the format of the real wallet, with an obviously fake signature.
 *
 * @returns the payload, or `undefined` if the wallet does not support the `paySource`.
 */
export function fakePayload(
  payChannel: PayChannel,
  account: WalletAccount,
  request: PaymentRequest,
  prepayment: Prepayment,
  at: number,
): PayPayload | undefined {
  const number = prepayment.values["prepayId"] ?? request.outTradeNo;
  const target = `pay?id=${encodeURIComponent(number)}&sign=${fakeSign(account, request, at)}`;
  const byChannel: Readonly<Record<PayChannel, Readonly<Partial<Record<PaySource, () => PayPayload>>>>> = {
    WALLET_A: {
      APP: () => walletAApp(account, request, number, at),
      H5: () => ({ h5_url: `https://wallet-a.example/${target}` }),
      NATIVE: () => ({ code_url: `wallet-a://${target}` }),
      JSAPI: () => walletAJsapi(account, request, number, at),
    },
    WALLET_B: {
      APP: () => walletBApp(account, request, at),
      H5: () => ({ pay_url: `https://wallet-b.example/${target}` }),
      NATIVE: () => ({ qr_code: `https://qr.wallet-b.example/${target}` }),
      JSAPI: () => ({ tradeNO: `trade_${request.outTradeNo}` }),
      PC: () => ({ pay_url: `https://wallet-b.example/page/${target}` }),
    },
  };
  return byChannel[payChannel][request.paySource]?.();
}

function walletAApp(
  account: WalletAccount,
  request: PaymentRequest,
  prepayid: string,
  at: number,
): PayPayload {
  return {
    appid: account.walletAppId,
    partnerid: account.accountId,
    prepayid,
    noncestr: sha256(`${prepayid}\n${at}`).slice(0, 32),
    package: "Sign=WXPay",
    timestamp: Math.floor(at / 1_000),
    sign: fakeSign(account, request, at),
  };
}

function walletAJsapi(
  account: WalletAccount,
  request: PaymentRequest,
  prepayId: string,
  at: number,
): PayPayload {
  return {
    appId: account.walletAppId,
    timeStamp: String(Math.floor(at / 1_000)),
    nonceStr: sha256(`${prepayId}\n${at}`).slice(0, 32),
    package: `prepay_id=${prepayId}`,
    signType: "RSA",
    paySign: fakeSign(account, request, at),
  };
}

function walletBApp(account: WalletAccount, request: PaymentRequest, at: number): PayPayload {
  return {
    app_id: account.walletAppId,
    method: "alipay.trade.app.pay",
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    sign: fakeSign(account, request, at),
    timestamp: new Date(at + CHINA_OFFSET).toISOString().slice(0, 19).replace("T", " "),
    version: "1.0",
    notify_url: request.notifyUrl,
    return_url: request.returnUrl,
    biz_content: JSON.stringify({
      body: request.goodsTitle,
      out_trade_no: request.outTradeNo,
      product_code: "QUICK_MSECURITY_PAY",
      subject: request.goodsTitle,
      total_amount: yuanText(request.amount),
    }),
  };
}

function fakeSign({ accountId, walletAppId }: WalletAccount, request: PaymentRequest, at: number): string {
  return `FAKE-SIGNATURE-${sha256(JSON.stringify([accountId, walletAppId, request, at]))}`;
}
