/** Parses a JSON object whose values are all strings. Throws otherwise. */
export function parseStringRecord(json: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new TypeError("The text is not a JSON object.");
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "string") throw new TypeError("A member of the JSON object is not a string.");
      return [name, member];
    }),
  );
}
