import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type Append, type Journal, openJournal } from "./journal.js";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return join(folder, "deep", "state.jsonl");
}

/** Simulates a disk with `room` bytes left. A text that does not fit is written partially. */
function disk(room: number) {
  let left = room;
  const append: Append = (file, text) => {
    const fits = text.slice(0, left);
    appendFileSync(file, fits, { mode: 0o600 });
    left -= fits.length;
    if (fits.length < text.length)
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  return {
    append,
    makeRoom: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

const numbersIn = (journal: Journal) => journal.read("number", z.int());

describe("a journal", () => {
  it("keeps what was written in a private file, and reads only values that match the schema", () => {
    const file = newFile();
    const journal = openJournal(file);
    expect(numbersIn(journal)).toEqual([]);
    journal.write("number", 1);
    journal.write("number", "two");
    journal.write("text", 3);
    journal.note("number", 4);
    expect(numbersIn(openJournal(file))).toEqual([1, 4]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("continues after a line that a killed process wrote partially", () => {
    const file = newFile();
    openJournal(file).write("number", 1);
    writeFileSync(file, `{"kind":"number","value":1}\n{"kind":"number","va`);
    const journal = openJournal(file);
    journal.write("number", 2);
    expect(numbersIn(journal)).toEqual([1, 2]);
  });

  // A line has 28 bytes, so the disk becomes full at every position of the second and third line.
  it.each(Array.from({ length: 60 }, (_, bytes) => bytes))(
    "loses no accepted line if the disk is full after %d bytes, and accepts the next when space is free",
    (bytes) => {
      const file = newFile();
      const { append, makeRoom } = disk(bytes);
      const journal = openJournal(file, append);
      const taken: number[] = [];
      for (const value of [1, 2, 3]) {
        try {
          journal.write("number", value);
          taken.push(value);
        } catch (error) {
          expect(error).toMatchObject({ code: "ENOSPC" });
        }
      }
      makeRoom();
      journal.write("number", 4);
      journal.write("number", 5);
      const read = numbersIn(openJournal(file));
      // A failed write may still be readable if only its line break is missing.
      expect(read.filter((value) => taken.includes(value) || value > 3)).toEqual([...taken, 4, 5]);
      expect(read.length).toBeLessThanOrEqual(taken.length + 3);
    },
  );

  it("writes queued values with the next successful write", () => {
    const file = newFile();
    const { append, makeRoom } = disk(40);
    const journal = openJournal(file, append);
    for (const value of [1, 2, 3]) journal.note("number", value);
    expect(numbersIn(openJournal(file))).toEqual([1]);
    makeRoom();
    journal.note("number", 4);
    expect(numbersIn(openJournal(file))).toEqual([1, 2, 3, 4]);
  });

  it("opens on a full disk, and reads the existing lines", () => {
    const file = newFile();
    openJournal(file).write("number", 1);
    const journal = openJournal(file, disk(0).append);
    expect(numbersIn(journal)).toEqual([1]);
    expect(() => {
      journal.write("number", 2);
    }).toThrow("ENOSPC");
  });
});
