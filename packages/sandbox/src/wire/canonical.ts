/** A value of JSON as a text that does not depend on the order of members: equal texts, equal values. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(",")}}`;
}

/** The text of a JSON object without the members `names`, in no particular order of members. */
export function canonicalWithout(value: unknown, ...names: readonly string[]): string {
  const members = Object.entries(value ?? {}).filter(([member]) => !names.includes(member));
  return canonicalText(Object.fromEntries(members));
}
