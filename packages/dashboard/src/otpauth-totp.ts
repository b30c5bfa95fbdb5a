import type { Totp } from "@tillkit/core/ports";
import { Secret, TOTP } from "otpauth";

const PERIOD = 30;
const DIGITS = 6;

/**
 * Creates the second factor of operators with the package `otpauth`.
 *
 * @param issuer - the name that the app on the phone shows beside the operator.
 * @see {@link https://www.rfc-editor.org/rfc/rfc6238 | RFC 6238, time-based one-time passwords}
 */
export function otpauthTotp(issuer: string): Totp {
  return {
    keyOf: (bytes) => new Secret({ buffer: bytes.slice().buffer }).base32,
    uri: (key, operator) =>
      new TOTP({ issuer, label: operator, secret: key, digits: DIGITS, period: PERIOD }).toString(),
    stepOf: (code, key, now) => {
      if (!/^\d{6}$/.test(code)) return undefined;
      const secret = Secret.fromBase32(key);
      const delta = TOTP.validate({
        token: code,
        secret,
        digits: DIGITS,
        period: PERIOD,
        timestamp: now,
        window: 1,
      });
      return delta === null ? undefined : Math.floor(now / 1_000 / PERIOD) + delta;
    },
  };
}
