/** Returns the whole number, 0 or above, that a person typed, or `undefined`. */
export function naturalNumber(typed: string): number | undefined {
  return /^\s*\d{1,11}\s*$/.test(typed) ? Number(typed) : undefined;
}

/** Returns the whole number above 0 that a person typed, or `undefined`. */
export function wholeNumber(typed: string): number | undefined {
  const value = /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : 0;
  return value > 0 ? value : undefined;
}
