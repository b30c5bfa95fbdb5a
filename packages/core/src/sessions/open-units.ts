/**
 * Returns the units of a shared limit that every app can take, until the rest is reserved.
 *
 * @param limit - of the host or a country.
 */
export function openUnits(limit: number, { smsReserve }: { readonly smsReserve: number }): number {
  return limit - Math.floor((limit * smsReserve) / 100);
}
