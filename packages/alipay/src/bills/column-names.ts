/** Splits a header row into column names, with all brackets in the full-width form. */
export function columnNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim().replace("(", "（").replace(")", "）"));
}
