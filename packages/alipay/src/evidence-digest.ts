import { createHash } from "node:crypto";

/** Returns the SHA-256 digest of facts, independent of their order. */
export function evidenceDigest(facts: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(facts).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}
