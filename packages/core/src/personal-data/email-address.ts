/** The longest text after the `@` of an address (RFC 5321). */
const LONGEST_PART = 255;

/** The end of an unquoted or a quoted local part. */
const LOCAL_PART = /(?:[^\s@"<>()[\]\\,;:]|")$/u;
/** At least two labels of a domain name, or an IP address in brackets. */
const DOMAIN = /^(?:[\p{L}\p{N}\p{M}_-]+\.[\p{L}\p{N}_]|\[[\da-f.:]+\]|\[ipv6:[\da-f.:]+\])/iu;

/**
 * Returns whether a text contains an e-mail address.
 *
 * @param text - The result of `readableText`.
 */
export function hasEmailAddress(text: string): boolean {
  const plain = text.includes("@") ? text.replace(/ ?@ ?/g, "@") : spelledOut(text);
  for (let at = plain.indexOf("@"); at !== -1; at = plain.indexOf("@", at + 1)) {
    const isLocal = LOCAL_PART.test(plain.slice(Math.max(0, at - 2), at));
    if (isLocal && DOMAIN.test(plain.slice(at + 1, at + 1 + LONGEST_PART))) return true;
  }
  return false;
}

/** Replaces a written `at` and `dot`, as in `kim (at) example (dot) com`. */
function spelledOut(text: string): string {
  return text.replace(/ ?[([{<] ?at ?[)\]}>] ?/gi, "@").replace(/ ?[([{<] ?dot ?[)\]}>] ?/gi, ".");
}
