/** Formats the path of a value in a JSON document, such as `peppers[0].key`. */
export function formatJsonPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}
