const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Parses the address of a wallet's gateway from an adapter's `gateways` option.
 *
 * Throws unless the address is https, or http on a loopback address. It must have no user, query or
 * fragment.
 * @param name - Key of the option, for the error message.
 */
export function parseGatewayUrl(name: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isBare = url !== undefined && url.username + url.password + url.search + url.hash === "";
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (isBare && isSafe) return url;
  const wanted = "an https address, or an http one on this machine, without user, query or fragment";
  throw new Error(`gateways.${name} must be ${wanted}.`);
}
