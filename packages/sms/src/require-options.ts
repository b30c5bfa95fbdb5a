/** Throws a `RangeError` if no kind of number has templates: then no message can be sent. */
export function requireTemplates(
  carrier: string,
  {
    mainland,
    international,
  }: { readonly mainland?: object | undefined; readonly international?: object | undefined },
): void {
  if (mainland === undefined && international === undefined)
    throw new RangeError(`${carrier} needs templates: set mainland, international, or both.`);
}

/**
 * Throws a `RangeError` that names the first option that is empty, or missing in a host written in
 * JavaScript. The error contains no value.
 */
export function requireOptions(carrier: string, options: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value === undefined || value === "")
      throw new RangeError(`${carrier} needs ${name}, which is ${value === "" ? "empty" : "missing"}.`);
}
