const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Validates a parsed value, as every zod schema does. */
export interface JsonSchema<T> {
  safeParse(value: unknown): { readonly data?: T | undefined };
}

/**
 * Parses JSON text with `schema`.
 *
 * @param source - The text, or its bytes in UTF-8.
 * @returns `undefined` if the source is absent, not valid UTF-8, not JSON, or does not match the
 *   schema.
 */
export function readJson<T>(schema: JsonSchema<T>, source: string | Uint8Array | undefined): T | undefined {
  if (source === undefined) return undefined;
  try {
    const text = typeof source === "string" ? source : utf8.decode(source);
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
