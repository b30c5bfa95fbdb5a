import { base64Url } from "./base64-url.js";

/** The only source of randomness in core. It must be cryptographically secure. */
export interface Random {
  /** Returns `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The sources of an id. */
export interface IdPorts {
  readonly clock: { now(): number };
  readonly random: Random;
}

/**
 * Creates an id of 26 characters `[0-9A-Z]` that sorts by its creation time.
 *
 * Both wallets accept it as `out_trade_no`.
 */
export function newId({ clock, random }: IdPorts): string {
  return timeText(clock.now(), 10) + randomText(random, 16);
}

/**
 * Creates an id of 15 characters `[0-9A-Z]` that sorts by its creation time.
 *
 * For the few records that operators create and that every order refers to. Two ids of the same
 * millisecond differ in 30 random bits.
 */
export function newShortId({ clock, random }: IdPorts): string {
  return timeText(clock.now(), 9) + randomText(random, 6);
}

/** Returns the last `length` digits of a time in base 32. Nine are enough until the year 3084. */
function timeText(time: number, length: number): string {
  let rest = time;
  let text = "";
  for (let position = 0; position < length; position += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomText(random: Random, length: number): string {
  let text = "";
  for (const byte of random.bytes(length)) text += CROCKFORD.charAt(byte % 32);
  return text;
}

/**
 * Returns whether `text` has the form of an id from {@link newId}.
 *
 * @returns true for 26 digits and capital letters of Crockford's base 32.
 * @example
 * ```ts
 * import { isId } from "@tillkit/core";
 *
 * isId("order-1001"); // false: a bizNo
 * ```
 */
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
