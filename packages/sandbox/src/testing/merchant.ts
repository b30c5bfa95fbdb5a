import { alipayWallet } from "@tillkit/alipay";
import type { PayChannel, PayPayload, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { okAsync, type ResultAsync } from "neverthrow";
import type { Sandbox } from "../index.js";

/** Milliseconds: longer than any call to a wallet on the same machine takes. */
const LIMITS = { deadline: 60_000 };

/** Creates the adapters of both wallets, which call the sandbox over HTTP. */
export function walletsAt(
  sandbox: Sandbox,
  limits: { readonly maxBillBytes?: number } = {},
): Readonly<Record<PayChannel, Wallet>> {
  const { clock, addresses } = sandbox;
  return {
    WALLET_A: wechatPayWallet({
      clock,
      random: systemRandom,
      gateways: { DEV: addresses.walletA },
      payerClientIp: () => "10.0.0.1",
      ...limits,
    }),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB }, ...limits })),
  };
}

/** Returns the account of the sandbox's merchant for the adapters. */
export function accountAt({ payTools }: Pick<Sandbox, "payTools">, payChannel: PayChannel): WalletAccount {
  const record = { id: "tool-1", appId: "app-1", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
  return { ...payTools[payChannel], ...record };
}

/** Creates a request for an order of 600 cents from an app, which can be paid for two hours. */
export function aRequest(outTradeNo: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    outTradeNo,
    amount: 600,
    goodsTitle: "VIP",
    paySource: "APP",
    notifyUrl: "http://127.0.0.1/notify",
    returnUrl: "http://127.0.0.1/return",
    expiresAt: Date.now() + 7_200_000,
    ...changes,
  };
}

/** Prepares the order at the wallet, if the wallet must be called, and returns its payload. */
export function issuePayload(
  sandbox: Sandbox,
  payChannel: PayChannel,
  request: PaymentRequest,
): ResultAsync<PayPayload, WalletFailure> {
  const wallet = walletsAt(sandbox)[payChannel];
  const account = accountAt(sandbox, payChannel);
  const now = sandbox.clock.now();
  const local = wallet.localPrepayment(account, request, now);
  const prepared = local === undefined ? wallet.prepare(account, request, LIMITS) : okAsync(local);
  return prepared.andThen((prepayment) => wallet.payload(account, request, prepayment, now));
}
