/** Parameters by name. Values are not percent-encoded. */
export type SignedParameters = Readonly<Record<string, string>>;

/**
 * Returns the text that is signed for a request.
 *
 * It contains every parameter except `sign` and empty parameters, sorted by name, as `name=value`
 * joined by `&`.
 */
export function requestText(parameters: SignedParameters): string {
  return textOf(parameters, (name, value) => name !== "sign" && value !== "");
}

/**
 * Returns the texts that may have been signed for a notification.
 *
 * They never contain `sign_type`. Senders may or may not sign empty parameters and, in certificate
 * mode, `alipay_cert_sn`. Only Alipay can have signed any of the texts.
 */
export function notificationTexts(parameters: SignedParameters): readonly string[] {
  const signed = (name: string) => name !== "sign" && name !== "sign_type";
  const texts = [
    textOf(parameters, (name, value) => signed(name) && value !== ""),
    textOf(parameters, signed),
    textOf(parameters, (name, value) => signed(name) && name !== "alipay_cert_sn" && value !== ""),
  ];
  return [...new Set(texts)];
}

/** Returns the parameters as a percent-encoded query string or form. */
export function formText(parameters: SignedParameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

function textOf(parameters: SignedParameters, keep: (name: string, value: string) => boolean): string {
  // Alipay sorts by bytes. For its ASCII names, sorting by code units gives the same order.
  return Object.entries(parameters)
    .filter(([name, value]) => keep(name, value))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
