/**
 * Formats the path of a value in a JSON document, such as `peppers[0].key`.
 *
 * @returns the path. Empty for the whole document.
 * @example
 * ```ts
 * import { formatJsonPath } from "@tillkit/core/text";
 *
 * formatJsonPath(["peppers", 0, "key"]); // "peppers[0].key"
 * ```
 */
export function formatJsonPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}
