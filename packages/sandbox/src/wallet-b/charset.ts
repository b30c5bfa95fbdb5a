import { gbkBytes } from "../shared/gbk.js";

/** A charset that Alipay's gateway reads and writes. */
export type Charset = "utf-8" | "GBK";

/** The charset that a request calls so, or `undefined` if the gateway does not know it. */
export function charsetNamed(name: string): Charset | undefined {
  const known = { "utf-8": "utf-8", utf8: "utf-8", gbk: "GBK", gb2312: "GBK" } as const;
  return Object.entries(known).find(([spelling]) => spelling === name.toLowerCase())?.[1];
}

/**
 * The charset of a request, by the parameter `charset` of its address, or else of its body, or else by its content type.
 *
 * The parameter has to be found before the form can be decoded. Its values are ASCII in every charset.
 */
export function charsetOf(query: string, body: Uint8Array, contentType: string): Charset {
  const parameter = /(?:^|&)charset=([^&]*)/;
  const form = Buffer.from(body).toString("latin1");
  const named = (parameter.exec(query) ?? parameter.exec(form))?.[1];
  const typed = /;\s*charset="?([\w-]+)/i.exec(contentType)?.[1];
  return charsetNamed(unescaped(named ?? typed ?? "")) ?? "utf-8";
}

// Every charset escapes ASCII alike.
function unescaped(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_escape, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}

/** The bytes of a text. */
export function bytesOf(text: string, charset: Charset): Uint8Array {
  return charset === "GBK" ? gbkBytes(text) : Buffer.from(text);
}

/** The text of bytes. Throws if they are no text in this charset. */
export function textOfBytes(bytes: Uint8Array, charset: Charset): string {
  return (charset === "GBK" ? gbk : utf8).decode(bytes);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const gbk = new TextDecoder("gbk", { fatal: true });
