import type { Parameters } from "../signing/texts.js";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** More than any notification has: whoever is not the wallet yet shall not make the reader work. */
const MOST_PARAMETERS = 256;

/**
 * Reads a form, decoding each name and value once: a `%` that is part of a value survives. `undefined` for bytes that are no form in UTF-8, and
 * for a form that names a parameter twice, of which the reader and the signer could mean different ones, or has more than 256.
 */
export function readForm(body: Uint8Array): Parameters | undefined {
  const parameters = new Map<string, string>();
  try {
    const pairs = utf8.decode(body).split("&", MOST_PARAMETERS + 1);
    if (pairs.length > MOST_PARAMETERS) return undefined;
    for (const pair of pairs) {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined) return undefined;
      const decoded = unescaped(name);
      if (parameters.has(decoded)) return undefined;
      parameters.set(decoded, unescaped(value));
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(parameters);
}

function unescaped(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
