import { sign } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { orThrow, type WalletAccount } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { systemClock } from "@tillkit/runtime";
import { AlipaySdk } from "alipay-sdk";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";
import { newWalletBKeys } from "../shop/wallet-b-keys.js";

const HOUR = 3_600_000;
const GATEWAY = "https://pay.example";

/** Measures signing a WALLET_B payload in one process, compared with the wallet's own SDK. */
export function signBRow(): BenchRow {
  const { keys, appKey } = newWalletBKeys();
  const account: WalletAccount = {
    id: "tool-1",
    appId: "app-1",
    accountId: "2088102119685838",
    walletAppId: "2014072300007148",
    payChannel: "WALLET_B",
    signStatus: "OK",
    appEnv: "PROD",
    appName: "Bench",
    appPackageName: "",
    appSignature: "",
    credentials: keys,
    gmtCreate: 0,
    gmtModified: 0,
  };
  const wallet = alipayWallet({ clock: systemClock });
  const sdk = new AlipaySdk({
    appId: account.walletAppId,
    privateKey: keys.appPrivateKey,
    alipayPublicKey: keys.alipayPublicKey,
    keyType: "PKCS8",
  });
  const text = Buffer.alloc(600, "x");
  let count = 0;
  const nextNo = () => `01JCXW9Z3K7Q2N5T${String((count += 1)).padStart(10, "0")}`;
  return {
    work: "what opens a payment in WALLET_B's app",
    contestants: [
      inProcess({
        name: "@tillkit/alipay, 16 at once",
        role: "ours",
        atOnce: 16,
        once: async () => {
          const now = systemClock.now();
          const request: PaymentRequest = {
            outTradeNo: nextNo(),
            amount: 600,
            goodsTitle: "One month",
            paySource: "APP",
            notifyUrl: `${GATEWAY}/notify`,
            returnUrl: `${GATEWAY}/return`,
            expiresAt: now + 2 * HOUR,
          };
          const prepayment = wallet.localPrepayment(account, request, now);
          if (prepayment === undefined) throw new Error("A payment in the app needs no call.");
          return await orThrow(wallet.payload(account, request, prepayment, now));
        },
      }),
      inProcess({
        name: "alipay-sdk, sdkExecute",
        role: "alternative",
        once: () =>
          Promise.resolve(
            sdk.sdkExecute("alipay.trade.app.pay", {
              notifyUrl: `${GATEWAY}/notify`,
              bizContent: {
                outTradeNo: nextNo(),
                totalAmount: "6.00",
                subject: "One month",
                productCode: "QUICK_MSECURITY_PAY",
              },
            }),
          ),
      }),
      inProcess({
        name: "crypto.sign on the event loop, key parsed once",
        role: "limit",
        once: () => Promise.resolve(sign("RSA-SHA256", text, appKey)),
      }),
    ],
    targets: [{ kind: "speed", than: "alipay-sdk, sdkExecute", atLeast: 1 }],
  };
}
