import { gbkBytes } from "../shared/gbk.js";

/** A charset that Alipay's gateway reads and writes. */
export type Charset = "utf-8" | "GBK";

/** Returns the charset with this name, or `undefined` if the gateway does not know it. */
export function charsetNamed(name: string): Charset | undefined {
  const known = { "utf-8": "utf-8", utf8: "utf-8", gbk: "GBK", gb2312: "GBK" } as const;
  return Object.entries(known).find(([spelling]) => spelling === name.toLowerCase())?.[1];
}

/**
 * Returns the charset of a request. Defaults to UTF-8.
 *
 * Reads the parameter `charset` of the URL, then of the body, then of the content type. The
 * parameter must be known before the form can be decoded; its values are ASCII in every charset.
 */
export function charsetOf(query: string, body: Uint8Array, contentType: string): Charset {
  const parameter = /(?:^|&)charset=([^&]*)/;
  const form = Buffer.from(body).toString("latin1");
  const named = (parameter.exec(query) ?? parameter.exec(form))?.[1];
  const typed = /;\s*charset="?([\w-]+)/i.exec(contentType)?.[1];
  return charsetNamed(unescaped(named ?? typed ?? "")) ?? "utf-8";
}

// Percent-encoded ASCII is the same in every charset.
function unescaped(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_escape, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
}

/** Encodes a text. */
export function bytesOf(text: string, charset: Charset): Uint8Array {
  return charset === "GBK" ? gbkBytes(text) : Buffer.from(text);
}

/** Decodes a text. Throws if the bytes are invalid in this charset. */
export function textOfBytes(bytes: Uint8Array, charset: Charset): string {
  return (charset === "GBK" ? gbk : utf8).decode(bytes);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const gbk = new TextDecoder("gbk", { fatal: true });
