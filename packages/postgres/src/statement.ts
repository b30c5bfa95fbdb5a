import { createHash } from "node:crypto";
import type { SqlStatement } from "./sql-client.js";

/** A statement called after its verb and its text: another schema or another version is another name. */
export function statement(verb: string, text: string): SqlStatement {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `${verb}_${digest}`, text };
}
