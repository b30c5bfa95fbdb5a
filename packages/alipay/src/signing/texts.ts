/** Parameters by name; values are raw, not percent-encoded. */
export type Parameters = Readonly<Record<string, string>>;

/** What is signed of a request: every parameter but `sign` and those without a value, sorted by name, as `name=value` joined by `&`. */
export function requestText(parameters: Parameters): string {
  return textOf(parameters, (name, value) => name !== "sign" && value !== "");
}

/**
 * What may have been signed of a notification: as of a request, but never `sign_type`. Senders differ in whether they sign parameters
 * without a value and, where certificates are used, `alipay_cert_sn`; whichever it is, only the wallet can have signed it.
 */
export function notificationTexts(parameters: Parameters): readonly string[] {
  const signed = (name: string) => name !== "sign" && name !== "sign_type";
  const texts = [
    textOf(parameters, (name, value) => signed(name) && value !== ""),
    textOf(parameters, signed),
    textOf(parameters, (name, value) => signed(name) && name !== "alipay_cert_sn" && value !== ""),
  ];
  return [...new Set(texts)];
}

/** The parameters as a query string or a form, percent-encoded. */
export function formText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

function textOf(parameters: Parameters, keep: (name: string, value: string) => boolean): string {
  // The wallet sorts by bytes. Its names are ASCII, for which code units sort alike.
  return Object.entries(parameters)
    .filter(([name, value]) => keep(name, value))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
