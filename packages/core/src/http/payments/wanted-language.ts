import type { MessageHeaders } from "../../shared/message-headers.js";
import { languageTag } from "../../sessions/language-tag.js";

/** The maximum number of characters of the header that are read. */
const MOST = 500;

/**
 * Returns the language that `Accept-Language` prefers, or `undefined` if it names none.
 *
 * The header comes from the caller. A caller whose customers speak several languages passes on the
 * customer's header. `*` names no language.
 */
export function wantedLanguage(headers: MessageHeaders): string | undefined {
  const entries = (headers.get("accept-language") ?? "").slice(0, MOST).split(",");
  let best: string | undefined;
  let bestWeight = 0;
  for (const entry of entries) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const language = languageTag(name);
    const weight = weightOf(parameters);
    if (language === undefined || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

/** Returns the weight of an entry: 1 if it has none, and 0 if it cannot be read. */
function weightOf(parameters: readonly string[]): number {
  if (parameters.length === 0) return 1;
  const weight = /^q=([01](?:\.\d{0,3})?)$/i.exec(parameters.join(";"))?.[1];
  return weight === undefined ? 0 : Math.min(1, Number(weight));
}
