import { createPrivateKey, randomBytes, sign } from "node:crypto";
import { Wechatpay } from "wechatpay-axios-plugin";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { poolOf } from "./answering.js";
import { orderRoute } from "./order-route.js";

const createFacts = shopFacts.extend({
  walletA: z.string(),
  mchid: z.string(),
  appid: z.string(),
  merchantPrivateKey: z.string(),
  merchantSerialNo: z.string(),
  walletCertificate: z.string(),
  walletSerialNo: z.string(),
});
const prepaid = z.object({ data: z.object({ prepay_id: z.string() }) });

/** Serves `/order.json` for WALLET_A as a team would write it, with the wallet's client library. */
runAsServer(async (given) => {
  const facts = createFacts.parse(given);
  const { appid, mchid, appId } = facts;
  const pool = poolOf(facts);
  const wallet = new Wechatpay({
    mchid,
    serial: facts.merchantSerialNo,
    privateKey: facts.merchantPrivateKey,
    certs: { [facts.walletSerialNo]: facts.walletCertificate },
    baseURL: facts.walletA,
  });
  const key = createPrivateKey(facts.merchantPrivateKey);
  return orderRoute(facts, pool, async ({ id, prepayId }, { amount, goodsTitle, bizNo }) => {
    let prepayid = prepayId;
    if (prepayid === null) {
      const requested: unknown = await wallet.chain("v3/pay/transactions/app").post({
        mchid,
        appid,
        description: goodsTitle,
        out_trade_no: id,
        notify_url: `http://127.0.0.1:1/notify/${id}`,
        amount: { total: amount, currency: "CNY" },
      });
      prepayid = prepaid.parse(requested).data.prepay_id;
      await pool.query({
        name: "keep prepayment",
        text: "update orders_by_hand set prepay_id = $3 where app_id = $1 and biz_no = $2",
        values: [appId, bizNo, prepayid],
      });
    }
    const timestamp = Math.floor(Date.now() / 1_000);
    const noncestr = randomBytes(16).toString("hex");
    const signed = [appid, timestamp, noncestr, prepayid, ""].join("\n");
    return {
      appid,
      partnerid: mchid,
      prepayid,
      package: "Sign=WXPay",
      noncestr,
      timestamp,
      sign: sign("RSA-SHA256", Buffer.from(signed), key).toString("base64"),
    };
  });
});
