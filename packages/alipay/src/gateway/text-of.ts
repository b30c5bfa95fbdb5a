import { isUtf8 } from "node:buffer";

/** The names that Alipay uses for Chinese charsets. GB18030 contains the other charsets. */
const CHINESE = /^(?:gbk|gb2312|gb_2312-80|gb18030|cp936)$/i;

const decoders = {
  "utf-8": new TextDecoder("utf-8", { ignoreBOM: true }),
  gb18030: new TextDecoder("gb18030"),
} as const;

/**
 * Decodes a text of Alipay.
 *
 * Its facts, such as numbers and amounts, are ASCII in every charset. A byte that is wrong in the
 * charset becomes U+FFFD.
 *
 * @param charset - The name that the message states. By default UTF-8, or GB18030 if the bytes are
 *   not UTF-8.
 */
export function textOf(bytes: Uint8Array, charset?: string): string {
  const isChinese = charset === undefined ? !isUtf8(bytes) : CHINESE.test(charset);
  return decoders[isChinese ? "gb18030" : "utf-8"].decode(bytes);
}
