import { base64Url } from "./base64-url.js";

/** The only source of randomness in core. It must be cryptographically secure. */
export interface Random {
  /** Returns `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Creates an id of 26 characters `[0-9A-Z]` that sorts by its creation time.
 *
 * Both wallets accept it as `out_trade_no`.
 */
export function newId({ clock, random }: { clock: { now(): number }; random: Random }): string {
  let time = clock.now();
  let head = "";
  for (let position = 0; position < 10; position += 1) {
    head = CROCKFORD.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (const byte of random.bytes(16)) tail += CROCKFORD.charAt(byte % 32);
  return head + tail;
}

/** Returns whether `text` has the form of an id from {@link newId}. */
export function isId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
}

const HEXADECIMAL = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Creates a trace id: 128 random bits as 32 hexadecimal digits. Callers quote it to support. */
export function newTraceId(random: Random): string {
  let text = "";
  for (const byte of random.bytes(16)) text += HEXADECIMAL[byte] ?? "";
  return text;
}

/** Creates a secret or session token: 256 random bits as 43 characters of base64url. */
export function newSecret(random: Random): string {
  return base64Url(random.bytes(32));
}

/**
 * Creates `digits` random decimal digits with equal probability.
 *
 * Bytes of 250 and more are skipped, because they would make low digits more likely.
 */
export function newDigits(random: Random, digits: number): string {
  let text = "";
  while (text.length < digits) {
    for (const byte of random.bytes(digits)) {
      if (byte < 250 && text.length < digits) text += String(byte % 10);
    }
  }
  return text;
}
