import { createHash } from "node:crypto";

/** SHA-256 of facts in a fixed order, 64 hexadecimal digits: equal for a notification, its repetitions and a query that say the same. */
export function evidenceOf(facts: readonly (string | number | undefined)[]): string {
  return createHash("sha256")
    .update(JSON.stringify(facts.map((fact) => fact ?? null)))
    .digest("hex");
}
