/** Throws a `RangeError` that names the first option that is empty. The error contains no value. */
export function requireOptions(carrier: string, options: Readonly<Record<string, string>>): void {
  const empty = Object.entries(options).find(([, value]) => value === "")?.[0];
  if (empty !== undefined) throw new RangeError(`${carrier} needs ${empty}, which is empty.`);
}
