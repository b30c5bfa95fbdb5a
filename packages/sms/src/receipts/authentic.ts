import { createHmac } from "node:crypto";

/**
 * Returns the signature that Twilio puts into `X-Twilio-Signature`.
 *
 * It is the HMAC-SHA1 of the URL, followed by each parameter and its value, sorted by name.
 *
 * @see {@link https://www.twilio.com/docs/usage/security#validating-requests | Validating requests}
 */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const valuesOf = new Map<string, Set<string>>();
  for (const [name, value] of form) {
    const values = valuesOf.get(name);
    if (values === undefined) valuesOf.set(name, new Set([value]));
    else values.add(value);
  }
  const names = [...valuesOf.keys()].sort();
  const values = names.flatMap((name) => [...(valuesOf.get(name) ?? [])].sort().map((one) => name + one));
  return createHmac("sha1", authToken)
    .update(url + values.join(""))
    .digest("base64");
}
