import * as z from "zod";
import { singleLineText } from "./single-line-text.js";

/** Returns the member `reason` of a change: 1 to 200 characters. */
export function reasonInput() {
  return { reason: z.string().trim().pipe(singleLineText(200)) };
}
