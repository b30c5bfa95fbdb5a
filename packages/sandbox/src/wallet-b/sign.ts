import { type Charset, textOfBytes } from "./charset.js";

/** Parameters by name, values raw: not percent-encoded. */
export type Parameters = Readonly<Record<string, string>>;

/** What is signed of a request: every parameter but `sign` and those without a value, sorted by name, as `name=value` joined by `&`. */
export function requestText(parameters: Parameters): string {
  return textOf(Object.entries(parameters).filter(([name, value]) => name !== "sign" && value !== ""));
}

/** What is signed of a notification: as of a request, but without `sign_type` too. */
export function notificationText(parameters: Parameters): string {
  const entries = Object.entries(parameters);
  return textOf(entries.filter(([name, value]) => name !== "sign" && name !== "sign_type" && value !== ""));
}

/** The parameters as a query string or form, percent-encoded. */
export function formText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Reads a form, decoding once; `undefined` when it is none or names a parameter twice. */
export function readForm(body: Uint8Array, charset: Charset = "utf-8"): Parameters | undefined {
  const parameters = new Map<string, string>();
  try {
    // One character a byte, so that the charset is left to the decoding of each part.
    for (const pair of Buffer.from(body).toString("latin1").split("&")) {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) return undefined;
      const decoded = decodeFormText(name, charset);
      if (parameters.has(decoded)) return undefined;
      parameters.set(decoded, decodeFormText(value, charset));
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(parameters);
}

function decodeFormText(text: string, charset: Charset): string {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw new Error("A percent sign without two digits.");
  const bytes = text
    .replaceAll("+", " ")
    .replace(/%(..)/g, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return textOfBytes(Buffer.from(bytes, "latin1"), charset);
}

function textOf(entries: [string, string][]): string {
  // Byte order: every name is ASCII, so comparing code units is the same.
  return entries
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
