import type { Parameters } from "./sign-text.js";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a form, decoding each name and value once: a `%` that is part of a value survives. `undefined` for bytes that are no form in UTF-8, and
 * for a form that names a parameter twice, of which the reader and the signer could mean different ones.
 */
export function readForm(body: Uint8Array): Parameters | undefined {
  const parameters = new Map<string, string>();
  try {
    for (const pair of utf8.decode(body).split("&")) {
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
