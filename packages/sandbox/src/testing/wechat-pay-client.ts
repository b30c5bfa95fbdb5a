import { createSign } from "node:crypto";
import type { WalletAMerchant } from "../merchant.js";

/** A request to WeChat Pay before it is signed. */
export interface ARequest {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body?: string;
}

/** Changes of a request, before or after it is signed. */
export interface WalletARequestChanges {
  /** Parts of `Authorization`. `undefined` omits a part. */
  readonly parts?: Readonly<Record<string, string | undefined>>;
  readonly scheme?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the text that is signed. */
  readonly signed?: (lines: string) => string;
  /** Replaces parts of the request after it was signed. */
  readonly sent?: Partial<ARequest>;
  readonly privateKey?: string;
  /** Epoch milliseconds. */
  readonly at?: number;
}

/** A response of WeChat Pay as it arrived. */
export interface AAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Creates a sender of merchant requests to WeChat Pay, which signs independently. */
export function walletASender(baseUrl: string, merchant: WalletAMerchant, now: () => number) {
  return async (request: ARequest, spoiling: WalletARequestChanges = {}): Promise<AAnswer> => {
    const { method, target, body = "" } = request;
    const timestamp = String(Math.floor((spoiling.at ?? now()) / 1000));
    const nonce = "593BEC0C930BF1AFEB40B4A08C8FB242";
    const lines = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;
    const signature = createSign("RSA-SHA256")
      .update(spoiling.signed?.(lines) ?? lines)
      .sign(spoiling.privateKey ?? merchant.merchantPrivateKey, "base64");
    const parts: Record<string, string | undefined> = {
      mchid: merchant.mchid,
      nonce_str: nonce,
      signature,
      timestamp,
      serial_no: merchant.merchantSerialNo,
      ...spoiling.parts,
    };
    const pairs = Object.entries(parts).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${value}"`],
    );
    const sent = { method, target, body, ...spoiling.sent };
    const response = await fetch(baseUrl + sent.target, {
      method: sent.method,
      redirect: "manual",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: `${spoiling.scheme ?? "WECHATPAY2-SHA256-RSA2048"} ${pairs.join(",")}`,
        ...spoiling.headers,
      },
      ...(sent.method === "GET" ? {} : { body: sent.body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
}

/** Returns the `Authorization` header of a request without a body, for binary responses. */
export function authorizationOf(
  merchant: WalletAMerchant,
  method: string,
  target: string,
  now: number,
): string {
  const [timestamp, nonce] = [String(Math.floor(now / 1000)), "593BEC0C930BF1AFEB40B4A08C8FB242"];
  const signature = createSign("RSA-SHA256")
    .update(`${method}\n${target}\n${timestamp}\n${nonce}\n\n`)
    .sign(merchant.merchantPrivateKey, "base64");
  const { mchid, merchantSerialNo: serial_no } = merchant;
  const parts = { mchid, nonce_str: nonce, signature, timestamp, serial_no };
  const pairs = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${pairs.join(",")}`;
}
