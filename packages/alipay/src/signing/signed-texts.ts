/** Parameters by name. Values are not percent-encoded. */
export type SignedParameters = Readonly<Record<string, string>>;

type Parameter = readonly [name: string, value: string];

/**
 * Returns the text that is signed for a request.
 *
 * It contains every parameter except `sign` and empty parameters, sorted by name, as `name=value`
 * joined by `&`.
 */
export function requestText(parameters: SignedParameters): string {
  return joinParameters(sorted(parameters), (name, value) => name !== "sign" && value !== "");
}

/**
 * Yields the texts that may have been signed for a notification, the usual one first.
 *
 * They never contain `sign_type`. Alipay may or may not sign empty parameters and, in certificate
 * mode, `alipay_cert_sn`. Any of the texts may be accepted, because only Alipay can sign it.
 */
export function* notificationTexts(parameters: SignedParameters): Generator<string, void, undefined> {
  const members = sorted(parameters).filter(([name]) => name !== "sign" && name !== "sign_type");
  const usual = joinParameters(members, (_, value) => value !== "");
  yield usual;
  const withEmpty = joinParameters(members, () => true);
  if (withEmpty !== usual) yield withEmpty;
  const withoutSerial = joinParameters(members, (name, value) => name !== "alipay_cert_sn" && value !== "");
  if (withoutSerial !== usual && withoutSerial !== withEmpty) yield withoutSerial;
}

/** Returns the parameters as a percent-encoded query string or form. */
export function formText(parameters: SignedParameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Returns the parameters as Alipay sorts them. */
function sorted(parameters: SignedParameters): readonly Parameter[] {
  // Alipay sorts by bytes. For its ASCII names, sorting by code units gives the same order.
  return Object.entries(parameters).sort(([left], [right]) => (left < right ? -1 : 1));
}

function joinParameters(
  parameters: readonly Parameter[],
  keep: (...parameter: Parameter) => boolean,
): string {
  let text = "";
  for (const [name, value] of parameters)
    if (keep(name, value)) text += `${text === "" ? "" : "&"}${name}=${value}`;
  return text;
}
