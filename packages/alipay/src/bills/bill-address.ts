/**
 * Returns whether a bill may be downloaded from an address that Alipay returned.
 *
 * The address must be at the gateway itself, or https at a host of Alipay. The response with the
 * address is signed. This check limits which servers a wrong address could reach.
 */
export function isBillAddress(address: string, gateway: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname, port, username, password } = new URL(address);
  if (username + password !== "") return false;
  if (origin === new URL(gateway).origin) return true;
  return protocol === "https:" && port === "" && /\.(alipay|alipaydev)\.com$/.test(hostname);
}
