import { digestOf } from "./problems.js";

const FRONT_MATTER = /^---\n.*?^---\n+/msu;
const STATEMENTS = /^(?:translationOf|sourceSha256):.*\n/gmu;

/**
 * Returns a translation whose front matter contains the digest of the current source.
 *
 * Keeps other members of the front matter, and creates the front matter if there is none.
 */
export function accepted(translation: string, source: string, sourceText: string): string {
  const present = FRONT_MATTER.exec(translation)?.[0] ?? "";
  const others = present.replaceAll(/^---\n+/gmu, "").replaceAll(STATEMENTS, "");
  const statements = `translationOf: ${source}\nsourceSha256: ${digestOf(sourceText)}\n`;
  return `---\n${statements}${others}---\n\n${translation.slice(present.length)}`;
}
