import type * as z from "zod";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON with `schema`. Returns `undefined` for invalid UTF-8, JSON or contents. */
export function readJson<T>(schema: z.ZodType<T>, source: string | Uint8Array): T | undefined {
  try {
    const text = typeof source === "string" ? source : utf8.decode(source);
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
