import { plainDigits } from "../language/format.js";

/** Returns the whole number, 0 or above, that a person typed, or `undefined`. */
export function naturalNumber(typed: string): number | undefined {
  const digits = plainDigits(typed);
  return /^\s*\d{1,11}\s*$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the whole number above 0 that a person typed, or `undefined`. */
export function wholeNumber(typed: string): number | undefined {
  const digits = plainDigits(typed);
  const value = /^\s*\d{1,9}\s*$/.test(digits) ? Number(digits) : 0;
  return value > 0 ? value : undefined;
}
