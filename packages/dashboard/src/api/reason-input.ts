import * as z from "zod";
import { isBlank } from "@tillkit/core/text";
import { singleLineText } from "./single-line-text.js";

/** Returns the member `reason` of a change: 1 to 200 characters, not only invisible ones. */
export function reasonInput() {
  return { reason: shownText() };
}

/** The schema of a text that a person writes for other people. */
export function shownText() {
  return z
    .string()
    .trim()
    .pipe(singleLineText(200))
    .refine((text) => !isBlank(text));
}
