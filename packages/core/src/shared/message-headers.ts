/** What is wanted of a `Headers`: the value of a header, repeats joined, or `null` when it did not come. Names are asked for in lower case. */
export interface MessageHeaders {
  get(name: string): string | null;
}

/** Looks headers up in a record such as Node's, of names in lower case, where some have a list of their repeats. Nothing is copied. */
export function headersIn(
  record: Readonly<Record<string, string | readonly string[] | undefined>>,
): MessageHeaders {
  return {
    get(name) {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      return typeof value === "object" ? value.join(", ") : (value ?? null);
    },
  };
}
