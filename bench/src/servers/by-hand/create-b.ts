import { AlipaySdk } from "alipay-sdk";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { poolOf } from "./answering.js";
import { orderRoute } from "./order-route.js";

const createFacts = shopFacts.extend({
  appPrivateKey: z.string(),
  alipayPublicKey: z.string(),
  walletAppId: z.string(),
});

/** Serves `/order.json` for WALLET_B as a team would write it, with the wallet's SDK. */
runAsServer(async (given) => {
  const facts = createFacts.parse(given);
  const sdk = new AlipaySdk({
    appId: facts.walletAppId,
    privateKey: facts.appPrivateKey,
    alipayPublicKey: facts.alipayPublicKey,
    keyType: "PKCS8",
  });
  return orderRoute(facts, poolOf(facts), async ({ id }, { amount, goodsTitle }) => {
    const text = sdk.sdkExecute("alipay.trade.app.pay", {
      format: "JSON",
      notifyUrl: `https://pay.example/notify/${id}`,
      returnUrl: "https://pay.example/return",
      bizContent: {
        outTradeNo: id,
        totalAmount: (amount / 100).toFixed(2),
        subject: goodsTitle,
        body: goodsTitle,
        productCode: "QUICK_MSECURITY_PAY",
      },
    });
    const { alipay_sdk: _sdk, ...data } = Object.fromEntries(new URLSearchParams(text));
    return data;
  });
});
