import { readableText } from "./readable-text.js";

/** The longest detail that a log gets. */
const LONGEST = 300;
/** The longest text that is read, because a dependency may send a text without end. */
const LONGEST_READ = 2_000;

/** Six or more digits, also with separators: phone, card and account numbers, and codes. */
const NUMBERS = /\+?\d(?:[\s().*-]?\d){5,}/g;
const EMAILS = /[^\s@"'<>,;:]+@[^\s@"'<>,;:]+/g;
/**
 * Keys, tokens, signatures and ids of users. Error codes have no digits or fewer than 20
 * characters.
 */
const SECRETS = /(?=[\w+/=-]*\d)[\w+/=-]{20,}/g;
/** A URL. Everything after the scheme is removed, because it may contain secrets. */
const ADDRESSES = /(https?:\/\/)[^\s"'<>]+/gi;

/**
 * Returns the text of a wallet or carrier about a failure, without what a log must not contain.
 *
 * Replaces numbers, e-mail addresses, keys, URLs and every text of `secrets` by `…`, and cuts the
 * rest to 300 characters.
 */
export function harmlessDetail(detail: string, secrets: readonly string[]): string {
  let text = readableText(detail.slice(0, LONGEST_READ).replace(/\p{Cc}+/gu, " "));
  for (const one of secrets) {
    const secret = readableText(one);
    if (secret !== "") text = text.replaceAll(secret, "…");
  }
  const harmless = text
    .replace(ADDRESSES, "$1…")
    .replace(EMAILS, "…")
    .replace(SECRETS, "…")
    .replace(NUMBERS, "…");
  return harmless.length > LONGEST ? `${harmless.slice(0, LONGEST - 1)}…` : harmless;
}
