import type { SmsFailure } from "@tillkit/core";
import { err, type Result } from "neverthrow";

/** The documented error codes of a carrier, and whether each code proves that nothing was sent. */
export type CarrierCodes = Readonly<Record<string, "rejected" | "unknown">>;

/** Returns the failure for an error code. It is `sms.unknown` if the code is not in the table. */
export function failureOfCode(carrier: string, code: string, codes: CarrierCodes): Result<void, SmsFailure> {
  const outcome = Object.hasOwn(codes, code) ? codes[code] : undefined;
  return err({
    name: outcome === "rejected" ? "sms.rejected" : "sms.unknown",
    // An undocumented code is text of the carrier, and may contain the phone number.
    detail:
      outcome === undefined
        ? `${carrier} answered with an undocumented code${SAFE_CODE.test(code) ? `: ${code}` : ""}`
        : `${carrier} answered with ${code}`,
  });
}

/** Letters, dots and underscores, or at most five digits. Neither can contain a phone number. */
const SAFE_CODE = /^(?:[A-Za-z][A-Za-z._]{0,79}|\d{1,5})$/;
