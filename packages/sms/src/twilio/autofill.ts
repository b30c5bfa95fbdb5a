/** What a phone needs to fill in the code automatically. At least one member is required. */
export interface Autofill {
  /**
   * The hash of the Android app, 11 characters, with which the SMS Retriever finds the message.
   *
   * The message must then have at most 140 bytes.
   *
   * @see {@link https://developers.google.com/identity/sms-retriever/verify | SMS Retriever}
   */
  readonly androidHash?: string;
  /**
   * The domain of the website or of the iOS app, such as `example.com`.
   *
   * @see {@link https://wicg.github.io/sms-one-time-codes/ | Origin-bound one-time codes}
   */
  readonly domain?: string;
}

/** The longest message that the SMS Retriever reads, in bytes. */
const LONGEST = 140;
const HASH = /^[A-Za-z0-9+/]{11}$/;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Returns the line that ends the message, or an empty text.
 *
 * Both formats are read from the end of the message. One line serves both: a phone ignores what
 * follows `@domain #code`, and an Android phone looks for its hash.
 */
export function autofillLine({ androidHash, domain }: Autofill, authCode: string): string {
  const parts = [domain === undefined ? "" : `@${domain} #${authCode}`, androidHash ?? ""];
  const line = parts.filter((part) => part !== "").join(" ");
  return line === "" ? "" : `\n${line}`;
}

/** Returns what is wrong with the option, or `undefined`. `longest` is the longest message. */
export function autofillProblem({ androidHash, domain }: Autofill, longest: string): string | undefined {
  if (androidHash === undefined && domain === undefined) return "needs androidHash or domain";
  if (androidHash !== undefined && !HASH.test(androidHash))
    return "needs an androidHash of 11 characters of A-Z a-z 0-9 + /";
  if (domain !== undefined && !DOMAIN.test(domain))
    return "needs a domain in lower case without scheme and path, such as example.com";
  const bytes = messageBytes(longest);
  if (androidHash !== undefined && bytes > LONGEST)
    return `makes a message of up to ${bytes} bytes, of which Android reads at most ${LONGEST}: shorten the text`;
  return undefined;
}

/** Returns the largest number of bytes that the message can have. */
function messageBytes(text: string): number {
  const utf8 = new TextEncoder().encode(text).length;
  // One character beyond ASCII may make every character two bytes long.
  return utf8 === text.length ? utf8 : Math.max(utf8, 2 * text.length);
}
