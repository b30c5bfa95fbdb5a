/**
 * Whether a bill may be fetched from an address that the wallet named: at the gateway itself, or over https at one of the wallet's own hosts. The answer
 * with the address is signed; this bounds what a mistake in it could reach.
 */
export function isBillAddress(address: string, gateway: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname, port, username, password } = new URL(address);
  if (username + password !== "") return false;
  if (origin === new URL(gateway).origin) return true;
  return protocol === "https:" && port === "" && /\.(alipay|alipaydev)\.com$/.test(hostname);
}
