import { createHash } from "node:crypto";
import type { SqlStatement } from "./sql-client.js";

/**
 * Creates a statement with a name from its method and its text.
 *
 * The hash of the text is part of the name, so another schema or version has another name.
 */
export function statement(method: string, text: string): SqlStatement {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `${method}_${digest}`, text };
}
