/** Returns the national number if an E.164 number is of mainland China, else `undefined`. */
export function mainlandNumber(mobileNo: string): string | undefined {
  return mobileNo.startsWith("+86") ? mobileNo.slice(3) : undefined;
}
