import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const line = z.object({ id: z.string() });

/** Returns the file of the events that a handler received in the host of `dataDir`. */
export function journalFile(dataDir: string): string {
  return join(dataDir, "events.jsonl");
}

/** Appends an event and syncs the file. A kill can cut the last line. */
export function appendToJournal(file: string, event: { readonly id: string }): void {
  const descriptor = openSync(file, "a");
  try {
    // The line before may have been cut.
    writeSync(descriptor, `\n${JSON.stringify(event)}`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the ids of the received events in order, or `undefined` if no handler was started. */
export function readJournal(file: string): readonly string[] | undefined {
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text) => {
      const read = line.safeParse(parsed(text));
      return read.success ? [read.data.id] : [];
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
