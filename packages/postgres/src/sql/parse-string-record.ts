import { UnreadableValue } from "./unreadable-value.js";
/** Parses a JSON object whose values are all strings. Throws otherwise. */
export function parseStringRecord(json: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null)
    throw new UnreadableValue("The text is not a JSON object.");
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "string")
        throw new UnreadableValue("A member of the JSON object is not a string.");
      return [name, member];
    }),
  );
}
