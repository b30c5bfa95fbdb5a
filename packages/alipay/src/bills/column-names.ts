/** What a column is called, in one spelling of its brackets. */
export function columnNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim().replace("(", "（").replace(")", "）"));
}
