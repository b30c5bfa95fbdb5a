import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { Ledger } from "./ledger.js";
import type { WalletAMerchant } from "./merchant.js";
import { publicKeyOf, verifyBytes } from "./shared/rsa.js";
import { tokenOf } from "./wechat-pay/prepayment.js";
import { payloadText } from "./wechat-pay/sign.js";
import type { WalletBRefusal } from "./alipay/answers.js";
import { GATEWAY_PATH } from "./alipay/gateway.js";
import type { KnownApp } from "./alipay/request.js";
import { charsetOf } from "./alipay/charset.js";
import { type SignedParameters, readForm } from "./alipay/sign.js";
import {
  readSigned,
  SIGNED_METHODS,
  type SignedMethod,
  signedPrepayment,
  acceptPayload,
} from "./alipay/accept-payload.js";

const nonce = z.string().regex(/^[0-9A-Za-z]{1,32}$/);
const seconds = z.string().regex(/^\d{1,12}$/);
const appPayload = z.object({
  appid: z.string(),
  partnerid: z.string(),
  prepayid: z.string(),
  noncestr: nonce,
  package: z.string(),
  /** A number or a string: the SDK of the app accepts both. */
  timestamp: z.union([z.int().min(0), seconds]),
  sign: z.string(),
});
const jsapiPayload = z.object({
  appId: z.string(),
  timeStamp: seconds,
  nonceStr: nonce,
  package: z.string(),
  signType: z.string(),
  paySign: z.string(),
});

/**
 * A payload that a customer passes to a wallet.
 *
 * One of: the object that an app or a mini-program received, the text of a QR code, a URL, or a
 * trade number. An Alipay payload may also be the order string.
 */
export const payload = z.union([
  appPayload,
  jsapiPayload,
  z.strictObject({ code_url: z.string() }),
  z.strictObject({ h5_url: z.string() }),
  z.strictObject({ qr_code: z.string() }),
  z.strictObject({ pay_url: z.string() }),
  z.strictObject({ trade_no: z.string() }),
  z.strictObject({ tradeNO: z.string() }),
  z.object({ biz_content: z.string(), sign: z.string() }).catchall(z.string()),
  z.strictObject({ orderString: z.string() }),
]);
/** A payload that opens a payment, in any of its forms. */
export type Payload = z.infer<typeof payload>;

/** Verifies payloads as the wallets' apps on the customer's phone do. */
export interface PayloadVerifier {
  /**
   * Returns the `outTradeNo` that the payload opens.
   *
   * Stores the order of an Alipay payload that the merchant signed locally. Fails with a message
   * for the developer if the wallet would refuse the payload.
   */
  admit(shown: Payload): Result<string, string>;
  /**
   * Stores an Alipay order that the merchant signed, so that the customer can pay it by its number.
   *
   * Unlike in `admit`, no wallet has opened the payload yet, so stored terms stay.
   * Verifies the payload first. Fails with a message for the developer if the wallet would refuse
   * it.
   */
  receive(shown: Payload): Result<string, string>;
}

/** The ledgers, keys and clock that payloads are verified with. */
export interface PayloadVerifierOptions {
  readonly walletA: {
    readonly ledger: Ledger;
    readonly merchant: WalletAMerchant;
    readonly merchantPublicKey: string;
  };
  readonly walletB: { readonly ledger: Ledger; readonly app: KnownApp };
  readonly clock: { now(): number };
}

/** Creates the payload verifier of both wallets. */
export function createPayloadVerifier({ walletA, walletB, clock }: PayloadVerifierOptions): PayloadVerifier {
  const tokenFrom = (
    ledger: Ledger,
    { token, paySource }: { readonly token: string | undefined; readonly paySource: string },
  ): Result<string, string> => {
    const found = ledger.findByToken(token ?? "");
    if (found === undefined || found.order.terms.paySource !== paySource)
      return err("the wallet issued no such payload");
    if (clock.now() > found.prepayment.validUntil) return err("the payload has expired: request a new one");
    return ok(found.order.terms.outTradeNo);
  };

  /** Returns whether the merchant's key signed this WeChat Pay payload. */
  function isSigned(text: string, signature: string): boolean {
    const key = publicKeyOf(walletA.merchantPublicKey);
    return key !== undefined && verifyBytes(Buffer.from(text), signature, key);
  }

  /** Returns the merchant and app of a prepayment, or the sandbox's own if it is unknown. */
  function ownerOf(token: string | undefined) {
    const { mchid: merchantId, appid: walletAppId } = walletA.merchant;
    return walletA.ledger.findByToken(token ?? "")?.order.terms ?? { merchantId, walletAppId };
  }

  function admitApp(shown: z.infer<typeof appPayload>): Result<string, string> {
    const { walletAppId, merchantId } = ownerOf(tokenOf("APP", shown.prepayid));
    if (shown.appid !== walletAppId) return err("appid is not the app's");
    if (shown.partnerid !== merchantId) return err("partnerid is not the merchant's");
    if (shown.package !== "Sign=WXPay") return err("package is not Sign=WXPay");
    const text = payloadText(shown.appid, shown.timestamp, shown.noncestr, shown.prepayid);
    if (!isSigned(text, shown.sign))
      return err("sign is not the merchant's signature over appid, timestamp, noncestr and prepayid");
    return tokenFrom(walletA.ledger, { token: tokenOf("APP", shown.prepayid), paySource: "APP" });
  }

  function admitJsapi(shown: z.infer<typeof jsapiPayload>): Result<string, string> {
    const prepayId = /^prepay_id=(.*)$/.exec(shown.package)?.[1];
    const { walletAppId } = ownerOf(tokenOf("JSAPI", prepayId ?? ""));
    if (shown.appId !== walletAppId) return err("appId is not the app's");
    if (shown.signType !== "RSA") return err("signType is not RSA");
    if (prepayId === undefined) return err("package is not prepay_id= followed by a prepayment id");
    const text = payloadText(shown.appId, shown.timeStamp, shown.nonceStr, shown.package);
    if (!isSigned(text, shown.paySign))
      return err("paySign is not the merchant's signature over appId, timeStamp, nonceStr and package");
    return tokenFrom(walletA.ledger, { token: tokenOf("JSAPI", prepayId), paySource: "JSAPI" });
  }

  function admitTrade(tradeNo: string): Result<string, string> {
    const order = walletB.ledger.find(walletB.ledger.numberOf(tradeNo) ?? "");
    const begun = order?.opened === true && order.terms.paySource === "JSAPI";
    return begun ? ok(order.terms.outTradeNo) : err("the merchant created no such trade for a customer");
  }

  const signed = (
    shown: Payload,
  ): { readonly paySource: SignedMethod; readonly parameters: SignedParameters } | undefined => {
    if ("pay_url" in shown) {
      const [, path, query = ""] = /^https?:\/\/[^/?#]+([^?#]*)\?([^#]*)$/.exec(shown.pay_url) ?? [];
      const parameters = path === GATEWAY_PATH ? formIn(query) : undefined;
      const paySource = parameters?.["method"] === SIGNED_METHODS.PC ? "PC" : "H5";
      return parameters === undefined ? undefined : { paySource, parameters };
    }
    if ("orderString" in shown) {
      const parameters = formIn(shown.orderString);
      return parameters === undefined ? undefined : { paySource: "APP", parameters };
    }
    return "biz_content" in shown ? { paySource: "APP", parameters: shown } : undefined;
  };
  const atWalletB = { ...walletB, clock };
  const words = ({ subCode, subMsg }: WalletBRefusal) => `${subCode} ${subMsg}`;

  return {
    admit: (shown) => {
      const inApp = appPayload.safeParse(shown);
      if (inApp.success) return admitApp(inApp.data);
      const inPage = jsapiPayload.safeParse(shown);
      if (inPage.success) return admitJsapi(inPage.data);
      if ("trade_no" in shown) return admitTrade(shown.trade_no);
      if ("tradeNO" in shown) return admitTrade(shown.tradeNO);
      if ("code_url" in shown)
        return tokenFrom(walletA.ledger, { token: tokenOf("NATIVE", shown.code_url), paySource: "NATIVE" });
      if ("h5_url" in shown)
        return tokenFrom(walletA.ledger, { token: tokenOf("H5", shown.h5_url), paySource: "H5" });
      if ("qr_code" in shown) {
        const token = /^https:\/\/qr\.alipay\.com\/(\d{24})$/.exec(shown.qr_code)?.[1];
        return tokenFrom(walletB.ledger, { token, paySource: "NATIVE" });
      }
      const read = signed(shown);
      if (read === undefined) return err("it does not point to the wallet's gateway, or is not a valid form");
      return acceptPayload(atWalletB, read.paySource, read.parameters).mapErr(words);
    },
    receive: (shown) => {
      const read = signed(shown);
      if (read === undefined)
        return err("only payloads of WALLET_B that the merchant signs without a call can be received");
      return readSigned(atWalletB, read.paySource, read.parameters)
        .mapErr(words)
        .andThen((terms) =>
          walletB.ledger
            .issuePrepayment(terms, signedPrepayment(terms, clock.now()))
            .map(() => terms.outTradeNo)
            .mapErr((reason) => `the wallet would refuse it: ${reason}`),
        );
    },
  };
}

function formIn(text: string): SignedParameters | undefined {
  return readForm(Buffer.from(text), charsetOf(text, Buffer.alloc(0), ""));
}
