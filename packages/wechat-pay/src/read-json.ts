import type * as z from "zod";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The value of a JSON text by `schema`, or `undefined` when it is not UTF-8, not JSON or does not fit. */
export function readJson<T>(schema: z.ZodType<T>, source: string | Uint8Array): T | undefined {
  try {
    const text = typeof source === "string" ? source : utf8.decode(source);
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
