import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Ledger } from "./ledger.js";
import type { WalletAMerchant } from "./merchant.js";
import { publicKeyOf, verifyBytes } from "./shared/rsa.js";
import { tokenOf } from "./wallet-a/prepayment.js";
import { appPayloadText } from "./wallet-a/sign.js";
import type { WalletBRefusal } from "./wallet-b/answers.js";
import { GATEWAY_PATH } from "./wallet-b/gateway.js";
import type { KnownApp } from "./wallet-b/request.js";
import { type Parameters, readForm } from "./wallet-b/sign.js";
import { readSigned, signedPrepayment, takeUp } from "./wallet-b/take-up.js";

const appPayload = z.object({
  appid: z.string(),
  partnerid: z.string(),
  prepayid: z.string(),
  noncestr: z.string().regex(/^[0-9A-Za-z]{1,32}$/),
  package: z.string(),
  timestamp: z.int().min(0),
  sign: z.string(),
});

/** What a customer comes to a wallet with: the object an app got, a code's text, or an address; WALLET_B's object also as the order string made of it. */
export const payload = z.union([
  appPayload,
  z.strictObject({ code_url: z.string() }),
  z.strictObject({ h5_url: z.string() }),
  z.strictObject({ qr_code: z.string() }),
  z.strictObject({ pay_url: z.string() }),
  z.strictObject({ tradeNO: z.string() }),
  z.strictObject({
    appId: z.string(),
    timeStamp: z.string(),
    nonceStr: z.string(),
    package: z.string(),
    signType: z.string(),
    paySign: z.string(),
  }),
  z.object({ biz_content: z.string(), sign: z.string() }).catchall(z.string()),
  z.strictObject({ orderString: z.string() }),
]);
/** What opens a payment, in any of its forms. */
export type Payload = z.infer<typeof payload>;

/** The wallets' own software on the customer's phone. */
export interface Cashier {
  /** The order that the payload opens, or why the wallet refuses it, in words for whoever develops. What WALLET_B's app signed is taken up by it. */
  admit(shown: Payload): Result<string, string>;
  /** Notes what WALLET_B's app signed and handed out, so that the customer has it when they come; proves it first. */
  receive(shown: Payload): Result<string, string>;
}

/** What the cashier checks payloads against. */
export interface CashierOptions {
  readonly walletA: {
    readonly ledger: Ledger;
    readonly merchant: WalletAMerchant;
    readonly merchantPublicKey: string;
  };
  readonly walletB: { readonly ledger: Ledger; readonly app: KnownApp };
  readonly clock: { now(): number };
}

/** Opens the cashier of both wallets. */
export function openCashier({ walletA, walletB, clock }: CashierOptions): Cashier {
  const tokenFrom = (
    ledger: Ledger,
    { token, paySource }: { readonly token: string | undefined; readonly paySource: string },
  ): Result<string, string> => {
    const found = ledger.findByToken(token ?? "");
    if (found === undefined || found.order.terms.paySource !== paySource)
      return err("the wallet handed nothing out that says this");
    if (clock.now() > found.prepayment.validUntil)
      return err("what the wallet handed out is no longer good: ask for the payload again");
    return ok(found.order.terms.outTradeNo);
  };

  function admitApp(shown: z.infer<typeof appPayload>): Result<string, string> {
    const { merchant, merchantPublicKey } = walletA;
    if (shown.appid !== merchant.appid) return err("appid is not the app's");
    if (shown.partnerid !== merchant.mchid) return err("partnerid is not the merchant's");
    if (shown.package !== "Sign=WXPay") return err("package is not Sign=WXPay");
    const text = appPayloadText(shown.appid, shown.timestamp, shown.noncestr, shown.prepayid);
    const key = publicKeyOf(merchantPublicKey);
    if (key === undefined || !verifyBytes(Buffer.from(text), shown.sign, key))
      return err("sign is not the merchant's over appid, timestamp, noncestr and prepayid");
    return tokenFrom(walletA.ledger, { token: tokenOf("APP", shown.prepayid), paySource: "APP" });
  }

  const signed = (
    shown: Payload,
  ): { readonly paySource: "APP" | "H5"; readonly parameters: Parameters } | undefined => {
    if ("pay_url" in shown) {
      const [, path, query = ""] = /^https?:\/\/[^/?#]+([^?#]*)\?([^#]*)$/.exec(shown.pay_url) ?? [];
      const parameters = path === GATEWAY_PATH ? readForm(Buffer.from(query)) : undefined;
      return parameters === undefined ? undefined : { paySource: "H5", parameters };
    }
    if ("orderString" in shown) {
      const parameters = readForm(Buffer.from(shown.orderString));
      return parameters === undefined ? undefined : { paySource: "APP", parameters };
    }
    return "biz_content" in shown ? { paySource: "APP", parameters: shown } : undefined;
  };
  const atWalletB = { ...walletB, clock };
  const words = ({ subCode, subMsg }: WalletBRefusal) => `${subCode} ${subMsg}`;

  return {
    admit: (shown) => {
      const atWalletA = appPayload.safeParse(shown);
      if (atWalletA.success) return admitApp(atWalletA.data);
      if ("code_url" in shown)
        return tokenFrom(walletA.ledger, { token: tokenOf("NATIVE", shown.code_url), paySource: "NATIVE" });
      if ("h5_url" in shown)
        return tokenFrom(walletA.ledger, { token: tokenOf("H5", shown.h5_url), paySource: "H5" });
      if ("qr_code" in shown) {
        const token = /^https:\/\/qr\.alipay\.com\/(\d{24})$/.exec(shown.qr_code)?.[1];
        return tokenFrom(walletB.ledger, { token, paySource: "NATIVE" });
      }
      const read = signed(shown);
      if (read === undefined) return err("it does not lead to the wallet's gateway, or is no form");
      return takeUp(atWalletB, read.paySource, read.parameters).mapErr(words);
    },
    receive: (shown) => {
      const read = signed(shown);
      if (read === undefined) return err("only what WALLET_B's app signs alone is received");
      return readSigned(atWalletB, read.paySource, read.parameters)
        .mapErr(words)
        .andThen((terms) =>
          walletB.ledger
            .handOut(terms, signedPrepayment(terms, clock.now()))
            .map(() => terms.outTradeNo)
            .mapErr((reason) => `the wallet would refuse it: ${reason}`),
        );
    },
  };
}
