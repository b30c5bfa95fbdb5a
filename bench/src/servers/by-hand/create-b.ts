import { AlipaySdk } from "alipay-sdk";
import express from "express";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../../harness/be-server.js";
import { POOL_MAX, shopFacts } from "../../shop/shop-facts.js";
import { authenticate } from "./authenticate.js";
import { insertOrder, orderBody } from "./insert-order.js";

const createFacts = shopFacts.extend({
  appPrivateKey: z.string(),
  alipayPublicKey: z.string(),
  walletAppId: z.string(),
});

/** `/order.json` for WALLET_B as a team would write it: the row first, then the SDK signs. */
beServer(async (given) => {
  const facts = createFacts.parse(given);
  const pool = new pg.Pool({ connectionString: facts.databaseUrl, max: POOL_MAX });
  const sdk = new AlipaySdk({
    appId: facts.walletAppId,
    privateKey: facts.appPrivateKey,
    alipayPublicKey: facts.alipayPublicKey,
    keyType: "PKCS8",
  });
  const app = express().use(express.json({ limit: "64kb" }));
  return app.post("/pay/order.json", authenticate(facts), async (request, response) => {
    const parsed = orderBody.safeParse(request.body);
    if (!parsed.success) {
      response.json({ code: 10003, msg: "A parameter is wrong" });
      return;
    }
    const order = await insertOrder(pool, facts.appId, parsed.data);
    if (order === "conflict") {
      response.json({ code: 50002, msg: "bizNo was used with other parameters" });
      return;
    }
    const text = sdk.sdkExecute("alipay.trade.app.pay", {
      format: "JSON",
      notifyUrl: `https://pay.example/notify/${order.id}`,
      returnUrl: "https://pay.example/return",
      bizContent: {
        outTradeNo: order.id,
        totalAmount: (parsed.data.amount / 100).toFixed(2),
        subject: parsed.data.goodsTitle,
        body: parsed.data.goodsTitle,
        productCode: "QUICK_MSECURITY_PAY",
      },
    });
    const { alipay_sdk: _sdk, ...data } = Object.fromEntries(new URLSearchParams(text));
    response.json({ code: 0, msg: "success", message: "success", data, traceId: order.id });
  });
});
