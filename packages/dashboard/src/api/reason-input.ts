import * as z from "zod";
import { line } from "./line-input.js";

/** Returns the member `reason` of a change: 1 to 200 characters. */
export function reasonInput() {
  return { reason: z.string().trim().pipe(line(200)) };
}
