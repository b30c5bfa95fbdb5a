import type { SignedParameters } from "../signing/signed-texts.js";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** More than any notification has. Limits the work before the signature is verified. */
const MOST_PARAMETERS = 256;

/**
 * Parses a form and decodes each name and value once.
 *
 * @returns `undefined` if the bytes are not a form in UTF-8, if a name occurs twice, or if there
 *   are more than 256 parameters. With a duplicate name, the reader and the signer could use
 *   different values.
 */
export function readForm(body: Uint8Array): SignedParameters | undefined {
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
