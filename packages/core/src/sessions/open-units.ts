/**
 * Returns how many units of a shared limit are not reserved. The rest is the reserve.
 *
 * @param limit - the limit of the host or of a country.
 */
export function openUnits(limit: number, { smsReserve }: { readonly smsReserve: number }): number {
  return limit - Math.floor((limit * smsReserve) / 100);
}
