import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { readJson } from "./shared/json.js";

const line = z.object({ kind: z.string(), value: z.unknown() });

/** Stores what must survive the end of the sandbox's process. */
export interface Journal {
  /**
   * Returns the values that were written under `kind`, oldest first.
   *
   * Skips values that do not match `schema`.
   */
  read<T>(kind: string, schema: z.ZodType<T>): readonly T[];
  /**
   * Writes `value` before it returns.
   *
   * Throws if the write fails, for example on a full disk. The caller must then discard the value.
   */
  write(kind: string, value: unknown): void;
  /**
   * Writes `value`, or queues it if the write fails.
   *
   * Never throws. The next successful write includes the queued values.
   */
  note(kind: string, value: unknown): void;
}

/**
 * Appends a text to a file, which it creates with mode 0600 if it is missing.
 *
 * Throws if it could not write the whole text.
 */
export type Append = (file: string, text: string) => void;

const appendText: Append = (file, text) => {
  appendFileSync(file, text, { mode: 0o600 });
};

/**
 * Opens a journal in `file`, one JSON line per value. Creates its folder if it is missing.
 *
 * Without a `file` the journal keeps nothing.
 */
export function openJournal(file: string | undefined, append: Append = appendText): Journal {
  return file === undefined ? FORGETFUL : journalIn(file, append);
}

const FORGETFUL: Journal = { read: () => [], write: () => undefined, note: () => undefined };

function journalIn(file: string, append: Append): Journal {
  mkdirSync(dirname(file), { recursive: true });
  // The last line may be incomplete: the process may have died while it wrote, or the disk was
  // full.
  let mayBeBroken = true;
  const unwritten: string[] = [];

  function add(text: string): void {
    // The line break separates an incomplete line from the next one.
    const lines = [...unwritten, text].map((one) => `${one}\n`).join("");
    const whole = mayBeBroken ? `\n${lines}` : lines;
    mayBeBroken = true;
    append(file, whole);
    mayBeBroken = false;
    unwritten.splice(0);
  }

  return {
    read: (kind, schema) =>
      (existsSync(file) ? readFileSync(file, "utf8") : "")
        .split("\n")
        .flatMap((text) => readJson(line, text) ?? [])
        .filter((entry) => entry.kind === kind)
        .flatMap(({ value }) => schema.safeParse(value).data ?? []),
    write: (kind, value) => {
      add(JSON.stringify({ kind, value }));
    },
    note: (kind, value) => {
      const text = JSON.stringify({ kind, value });
      try {
        add(text);
      } catch {
        unwritten.push(text);
      }
    },
  };
}
