/** Splits a header row into column names, and makes the brackets of a unit full-width. */
export function columnNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim().replace("(", "（").replace(")", "）"));
}
