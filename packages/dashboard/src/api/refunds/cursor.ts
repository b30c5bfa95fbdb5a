import * as z from "zod";

/**
 * Creates the schema of a cursor: the place of a row in a list, as a text for the query.
 *
 * Browsers treat the text as opaque.
 */
export function cursorOf<S extends z.ZodType>(place: S) {
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
    .pipe(place);
}

/** Returns the cursor of a place. */
export function cursorText(place: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  return btoa(String.fromCharCode(...bytes));
}
