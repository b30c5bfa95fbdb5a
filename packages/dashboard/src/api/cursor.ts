import * as z from "zod";

/**
 * Creates the schema of a cursor in a query: a position in a list, encoded as text.
 *
 * @param position - the schema of the position.
 */
export function cursorInput<S extends z.ZodType>(position: S) {
  return z
    .string()
    .max(1_000)
    .transform((text, context): unknown => {
      try {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      } catch {
        context.addIssue("shape");
        return z.NEVER;
      }
    })
    .pipe(position);
}

/** Returns the cursor of a position. */
export function cursorText(position: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  return btoa(String.fromCharCode(...bytes));
}
