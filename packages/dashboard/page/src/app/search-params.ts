/**
 * Returns a function that keeps the named texts of an address and drops everything else.
 *
 * Every value stays text, because the API checks it and answers with what is wrong.
 */
export function searchParams<const Name extends string>(...names: readonly Name[]) {
  return (raw: Readonly<Record<string, unknown>>): { [Key in Name]?: string } => {
    const found: { [Key in Name]?: string } = {};
    for (const name of names) {
      const value = raw[name];
      if (typeof value === "string" && value !== "") found[name] = value;
    }
    return found;
  };
}

/**
 * Reads the part of an address after its `?`.
 *
 * A repeated name gets all its values in one text. The control then shows that it cannot read the
 * text.
 */
export function parseSearch(search: string): Record<string, string> {
  const given = new URLSearchParams(search);
  return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name).join(", ")]));
}

/** Writes the part of an address after its path. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value]] : [],
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}
