import { withoutSeparators } from "./readable-text.js";

/** A user id of Alipay: 2088 and 12 more digits. */
const ALIPAY_USER_ID = /(?<![0-9a-z])2088\d{12}(?![0-9a-z])/i;
const SEPARATED_USER_ID = /^\p{L}*2088\d{12}\p{L}*$/u;
/**
 * An `openid` or a `unionid` of WeChat: `o` and 27 characters of base64url, with a capital letter.
 *
 * WeChat documents no form. The ids in its examples, and those of its customers, have this form.
 */
const OPENID = /(?<![\w+/-])o(?=[\w-]*[A-Z])[\w-]{27}(?![\w+/=-])/;
/** The id of a WeChat account. */
const WECHAT_ID = /(?<![0-9a-z])wxid_[a-z0-9]{10,24}(?![\w-])/i;
/** Words for an `openid` that are joined to it by a character of base64. */
const OPENID_WORDS = /(?<![0-9a-z])(?:wechat|weixin|wx|mp|open_?id|union_?id)[_/+-]+/gi;

/**
 * Returns whether a text contains a customer's account at WeChat Pay or Alipay.
 *
 * @param text - The result of `readableText`.
 */
export function hasWalletAccount(text: string): boolean {
  if (ALIPAY_USER_ID.test(text) || OPENID.test(text) || WECHAT_ID.test(text)) return true;
  // An `openid` may contain such a word itself, so the text is searched with and without them.
  if (OPENID.test(text.replace(OPENID_WORDS, " "))) return true;
  return SEPARATED_USER_ID.test(withoutSeparators(text));
}
