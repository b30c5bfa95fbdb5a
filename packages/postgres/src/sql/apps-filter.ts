import { arrayLiteral } from "./array-literal.js";
import type { SqlValue } from "./sql-client.js";

/** Returns the placeholder of a condition on apps: an array literal, or null for every app. */
export function appsFilter(apps: readonly string[] | undefined): SqlValue {
  return apps === undefined ? null : arrayLiteral(apps);
}
