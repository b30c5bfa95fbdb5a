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
      const mark = pair.indexOf("=");
      if (mark < 1) return undefined;
      const name = unescaped(pair.slice(0, mark));
      if (parameters.has(name)) return undefined;
      parameters.set(name, unescaped(pair.slice(mark + 1)));
    }
  } catch {
    return undefined;
  }
  return Object.fromEntries(parameters);
}

function unescaped(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return decodeURIComponent(text.replaceAll("+", " "));
}
