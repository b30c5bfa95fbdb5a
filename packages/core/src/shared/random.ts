import { base64Url } from "./base64-url.js";

/** The only source of randomness in the domain. It must be cryptographically secure wherever money moves. */
export interface Random {
  /** `count` unpredictable bytes. */
  bytes(count: number): Uint8Array;
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A new identifier: 26 characters of `[0-9A-Z]`, sortable by the time it was made, valid as `out_trade_no` at both wallets. */
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

/** Whether `newId` may have made `text`. */
export function isId(text: string): boolean {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
}

const HEXADECIMAL = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** 128 random bits as 32 hexadecimal digits: what a caller quotes to support. */
export function newTraceId(random: Random): string {
  let text = "";
  for (const byte of random.bytes(16)) text += HEXADECIMAL[byte] ?? "";
  return text;
}

/** 256 random bits as 43 characters of base64url: secrets and session tokens. */
export function newSecret(random: Random): string {
  return base64Url(random.bytes(32));
}

/** `digits` decimal digits, every value equally likely: bytes that would favour low digits are drawn again. */
export function newDigits(random: Random, digits: number): string {
  let text = "";
  while (text.length < digits) {
    for (const byte of random.bytes(digits)) {
      if (byte < 250 && text.length < digits) text += String(byte % 10);
    }
  }
  return text;
}
