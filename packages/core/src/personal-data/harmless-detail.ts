import { readableText } from "./readable-text.js";

/** The longest detail that a log gets. */
const LONGEST = 300;
/** More than this is not read, because a dependency may answer without end. */
const LONGEST_READ = 2_000;

/** Six or more digits, also with separators: phone, card and account numbers, and codes. */
const NUMBERS = /\+?\d(?:[\s().*-]?\d){5,}/g;
const EMAILS = /[^\s@"'<>,;:]+@[^\s@"'<>,;:]+/g;
/** Keys, tokens, signatures and ids of users. Codes of errors have no digits, or are shorter. */
const SECRETS = /(?=[\w+/=-]*\d)[\w+/=-]{20,}/g;
/** The parts of a URL after its host, which may have secrets. */
const ADDRESSES = /(https?:\/\/)[^\s"'<>]+/gi;

/**
 * Returns what a wallet or carrier says about a failure, as a log may contain it.
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
