import { createSign, createVerify } from "node:crypto";
import type { WalletBMerchant } from "../merchant.js";
import { beijing } from "./beijing.js";
import { members } from "./json.js";

/** Changes of a request to Alipay. */
export interface WalletBRequestChanges {
  /** Common parameters, which are signed. `undefined` omits a parameter. */
  readonly common?: Readonly<Record<string, string | undefined>>;
  /**
   * `GET`: all parameters in the URL. `split`: `biz_content` in the body, the others in the URL.
   */
  readonly way?: "GET" | "POST" | "split";
  /** Encodes and decodes the text of a parameter. Defaults to UTF-8. */
  readonly encoding?: { bytes(text: string): Uint8Array; text(bytes: Uint8Array): string };
}

/** The node of a response, and whether the wallet's key signed exactly its bytes. */
export interface BAnswer {
  readonly node: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
  readonly type: string;
}

const UTF8 = {
  bytes: (text: string): Uint8Array => Buffer.from(text, "utf8"),
  text: (bytes: Uint8Array): string => new TextDecoder().decode(bytes),
};

/** Creates a sender of merchant requests to Alipay, which signs and encodes independently. */
export function walletBSender(gateway: string, merchant: WalletBMerchant, now: () => number) {
  return async (method: string, content: object, spoiling: WalletBRequestChanges = {}): Promise<BAnswer> => {
    const { way = "POST", encoding = UTF8 } = spoiling;
    const given: Readonly<Record<string, string | undefined>> = {
      app_id: merchant.appId,
      method,
      charset: "utf-8",
      sign_type: "RSA2",
      timestamp: beijing(now()),
      version: "1.0",
      biz_content: JSON.stringify(content),
      ...spoiling.common,
    };
    const pairs = Object.entries(given)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      .sort(([left], [right]) => (left < right ? -1 : 1));
    const text = pairs.map(([name, value]) => `${name}=${value}`).join("&");
    const sign = createSign("RSA-SHA256").update(encoding.bytes(text)).sign(merchant.appPrivateKey, "base64");
    const escaped = (value: string) =>
      [...encoding.bytes(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const part = ([name, value]: readonly [string, string]) => `${name}=${escaped(value)}`;
    const all = [...pairs, ["sign", sign] as const];
    const inBody = all.filter(([name]) => way === "POST" || (way === "split" && name === "biz_content"));
    const inAddress = all.filter((pair) => !inBody.includes(pair));
    const address = `${gateway}${inAddress.length === 0 ? "" : "?"}${inAddress.map(part).join("&")}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(
      address,
      way === "GET" ? {} : { method: "POST", headers, body: inBody.map(part).join("&") },
    );
    const answer = encoding.text(new Uint8Array(await response.arrayBuffer()));
    const [, name = "", node = "{}", signature = ""] =
      /^\{"(\w+)":(\{.*\})(?:,"alipay_cert_sn":"\w+")?(?:,"sign":"([^"]*)")?\}$/s.exec(answer) ?? [];
    const trusted = createVerify("RSA-SHA256")
      .update(encoding.bytes(node))
      .verify(merchant.walletPublicKey, signature, "base64");
    return { node: { name, ...members(node) }, trusted, type: response.headers.get("content-type") ?? "" };
  };
}
