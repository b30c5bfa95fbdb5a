/** Returns the scheme and host of an endpoint. Throws if it is not an http or https origin. */
export function readEndpoint(endpoint: string): { readonly secure: boolean; readonly host: string } {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (
    url === undefined ||
    !["https:", "http:"].includes(url.protocol) ||
    endpoint.replace(/\/$/, "") !== url.origin
  )
    // The message leaves out the value, which may contain a password.
    throw new RangeError('The endpoint must be an origin such as "https://sms.example".');
  return { secure: url.protocol === "https:", host: url.host };
}
