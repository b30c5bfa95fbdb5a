import { hash } from "node:crypto";

/** Returns the SHA-256 digest of facts, independent of their order. */
export function evidenceDigest(facts: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted), "hex");
}
