/**
 * The part of the web `Headers` interface that Tillkit needs.
 *
 * `get` takes a lower-case name. It returns the value, with repeated headers joined, or `null`.
 */
export interface MessageHeaders {
  get(name: string): string | null;
}

/**
 * Reads headers from a record such as Node's `IncomingHttpHeaders`, without copying it.
 *
 * Names in the record must be lower case. Repeated values are joined with `", "`. Over HTTP/2,
 * `host` is the value of `:authority`.
 */
export function headersIn(
  record: Readonly<Record<string, string | readonly string[] | undefined>>,
): MessageHeaders {
  return {
    get(name) {
      // An HTTP/2 client sends `:authority` instead of `host`. If both are present, `:authority`
      // counts.
      const key = name === "host" && Object.hasOwn(record, ":authority") ? ":authority" : name;
      const value = Object.hasOwn(record, key) ? record[key] : undefined;
      return typeof value === "object" ? value.join(", ") : (value ?? null);
    },
  };
}
