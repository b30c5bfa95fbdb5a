import { hash } from "node:crypto";

/**
 * Returns the SHA-256 digest of facts in a fixed order, as 64 hexadecimal digits.
 *
 * A notification, its repetitions and a query with the same facts have the same digest.
 */
export function evidenceDigest(facts: readonly (string | number | undefined)[]): string {
  return hash("sha256", JSON.stringify(facts.map((fact) => fact ?? null)), "hex");
}
