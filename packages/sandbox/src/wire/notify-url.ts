const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether a wallet would notify this address: https, or, for developing, http on a loopback address. */
export function isNotifiable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}
