import { createHash } from "node:crypto";

/** The hash function of timelines and of the audit log. */
export const SHA256 = {
  sha256: (text: string): string => createHash("sha256").update(text).digest("hex"),
};

/** Returns SQL for the hexadecimal text of a stored hash. */
export function hexSql(hash: string): string {
  return `encode(${hash}, 'hex')`;
}

/**
 * Returns SQL for the hash, as bytes, of `text` after the hash `previous`. Both are SQL texts.
 *
 * It is the SHA-256 of `previous`, a line feed and `text`.
 */
export function chainedHashSql(previous: string, text: string): string {
  // The cast to `bytea` reads a backslash as an escape, so each one is doubled. Unlike `convert_to`
  // the cast is immutable, which a distributed database requires in a condition. The encoding of
  // the database is UTF-8.
  return `sha256((${previous} || E'\\n' || replace(${text}, E'\\\\', E'\\\\\\\\'))::bytea)`;
}
