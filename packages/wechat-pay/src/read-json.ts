import type * as z from "zod";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON text with `schema`.
 *
 * @returns `undefined` if the source is not valid UTF-8, not JSON, or does not match the schema.
 */
export function readJson<T>(schema: z.ZodType<T>, source: string | Uint8Array): T | undefined {
  try {
    const text = typeof source === "string" ? source : utf8.decode(source);
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
