import { createHash } from "node:crypto";

/** Returns the SHA-256 of the UTF-8 bytes of `text` as 64 lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
