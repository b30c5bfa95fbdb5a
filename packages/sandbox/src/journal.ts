import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { readJson } from "./shared/json.js";

const line = z.object({ kind: z.string(), value: z.unknown() });

/** Where a sandbox writes down what must survive the end of its process. */
export interface Journal {
  /** What was written under `kind`, oldest first, as far as it fits `schema`. */
  read<T>(kind: string, schema: z.ZodType<T>): readonly T[];
  /** Writes `value` down before it returns. */
  write(kind: string, value: unknown): void;
}

/** A journal in `file`, one JSON text a line, or one that keeps nothing. Its folder is made when it is missing. */
export function openJournal(file: string | undefined): Journal {
  if (file === undefined) return { read: () => [], write: () => undefined };
  mkdirSync(dirname(file), { recursive: true });
  // The process may have died while it wrote: a line break keeps a broken last line from spoiling the next one.
  appendFileSync(file, "\n", { mode: 0o600 });
  return {
    read: (kind, schema) =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((text) => readJson(line, text) ?? [])
        .filter((entry) => entry.kind === kind)
        .flatMap(({ value }) => schema.safeParse(value).data ?? []),
    write: (kind, value) => {
      appendFileSync(file, `${JSON.stringify({ kind, value })}\n`);
    },
  };
}
