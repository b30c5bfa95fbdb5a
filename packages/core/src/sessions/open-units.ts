/**
 * Returns how many units of a shared limit every app can take. The rest is the reserve.
 *
 * @param limit - of the host or a country.
 */
export function openUnits(limit: number, { smsReserve }: { readonly smsReserve: number }): number {
  return limit - Math.floor((limit * smsReserve) / 100);
}
