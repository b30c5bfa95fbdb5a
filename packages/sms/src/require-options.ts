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

/** Throws a `RangeError` that names the first option that is empty. The error contains no value. */
export function requireOptions(carrier: string, options: Readonly<Record<string, string>>): void {
  const empty = Object.entries(options).find(([, value]) => value === "")?.[0];
  if (empty !== undefined) throw new RangeError(`${carrier} needs ${empty}, which is empty.`);
}
