import { type Charset, textOfBytes } from "./charset.js";

/** Parameters by name. The values are raw: not percent-encoded. */
export type SignedParameters = Readonly<Record<string, string>>;

/**
 * Returns the text that is signed in a request: all parameters except `sign` and empty ones.
 *
 * They are sorted by name and joined as `name=value` with `&`.
 */
export function requestText(parameters: SignedParameters): string {
  return textOf(Object.entries(parameters).filter(([name, value]) => name !== "sign" && value !== ""));
}

/** Returns the text that is signed in a notification: as in a request, but without `sign_type`. */
export function notificationText(parameters: SignedParameters): string {
  const entries = Object.entries(parameters);
  return textOf(entries.filter(([name, value]) => name !== "sign" && name !== "sign_type" && value !== ""));
}

/** Formats the parameters as a query string or form, percent-encoded. */
export function formText(parameters: SignedParameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

/**
 * Parses a form and decodes it once.
 *
 * Returns `undefined` if it is invalid or contains a parameter twice.
 */
export function readForm(body: Uint8Array, charset: Charset = "utf-8"): SignedParameters | undefined {
  const parameters = new Map<string, string>();
  try {
    // Latin-1 keeps one character per byte, so that each part is decoded with its charset later.
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
  // Byte order: every name is ASCII, so comparing code units gives the same order.
  return entries
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}
