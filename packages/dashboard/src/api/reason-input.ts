import * as z from "zod";

/** Returns the member `reason` of a change: 1 to 200 characters. */
export function reasonInput() {
  return { reason: z.string().trim().min(1).max(200) };
}
