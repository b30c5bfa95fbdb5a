import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { readJson } from "./shared/json.js";

const line = z.object({ kind: z.string(), value: z.unknown() });

/** Where a sandbox writes down what must survive the end of its process. */
export interface Journal {
  /** What was written under `kind`, oldest first, as far as it fits `schema`. */
  read<T>(kind: string, schema: z.ZodType<T>): readonly T[];
  /** Writes `value` down before it returns. Throws if it cannot, for example on a full disk: then nothing of it counts. */
  write(kind: string, value: unknown): void;
  /** Writes `value` down. Never throws: what cannot be written now is written with the next line that can. */
  note(kind: string, value: unknown): void;
}

/** Appends a text to a file, which is made for its owner alone if it is missing. Throws if not all of it was written. */
export type Append = (file: string, text: string) => void;

const appendText: Append = (file, text) => {
  appendFileSync(file, text, { mode: 0o600 });
};

/** A journal in `file`, one JSON text a line, or one that keeps nothing. Its folder is made when it is missing. */
export function openJournal(file: string | undefined, append: Append = appendText): Journal {
  return file === undefined ? FORGETFUL : journalIn(file, append);
}

const FORGETFUL: Journal = { read: () => [], write: () => undefined, note: () => undefined };

function journalIn(file: string, append: Append): Journal {
  mkdirSync(dirname(file), { recursive: true });
  // The process may have died while it wrote, and so may a disk have run full: then the last line is broken.
  let mayBeBroken = true;
  const unwritten: string[] = [];

  function add(text: string): void {
    // A line break keeps a broken line from spoiling the next one.
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
