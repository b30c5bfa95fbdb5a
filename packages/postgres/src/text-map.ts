/** The object of texts in `json`. Anything else throws: nothing but this package writes what it reads here. */
export function textMap(json: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new TypeError("The text is no JSON object.");
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "string") throw new TypeError("A member of the JSON object is no text.");
      return [name, member];
    }),
  );
}
