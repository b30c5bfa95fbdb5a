const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Returns whether a wallet notifies this URL: https, or http on a loopback address. */
export function isNotifiable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}
