import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { barText, statusLine } from "./status-line.js";

const ERASE = "\u001B[1G\u001B[2K";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a line on a terminal, and returns what was written to the terminal. */
function open(columns = 80) {
  const terminal = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, columns });
  return { line: statusLine(terminal), written: () => String(terminal.read() ?? "") };
}

it("replaces the text, at most every 100 ms and with the latest", () => {
  const { line, written } = open();
  for (const text of ["one", "two", "three"]) line.update(text);
  expect(written()).toBe(`${ERASE}one`);
  vi.advanceTimersByTime(99);
  expect(written()).toBe("");
  vi.advanceTimersByTime(1);
  expect(written()).toBe(`${ERASE}three`);
  vi.advanceTimersByTime(1_000);
  expect(written()).toBe("");
  line.update("four");
  expect(written()).toBe(`${ERASE}four`);
});

it("prints lines above, and shows the latest text again", () => {
  const { line, written } = open();
  line.update("one");
  line.update("two");
  line.print("line 7 is wrong\n");
  expect(written()).toBe(`${ERASE}one${ERASE}line 7 is wrong\n${ERASE}two`);
  vi.advanceTimersByTime(1_000);
  expect(written()).toBe("");
});

it("removes the line at the end, and shows nothing after it", () => {
  const { line, written } = open();
  line.update("one");
  line.update("two");
  line.stop();
  vi.advanceTimersByTime(1_000);
  expect(written()).toBe(`${ERASE}one${ERASE}`);
});

it("cuts a text that would wrap", () => {
  const { line, written } = open(10);
  line.update("0123456789");
  expect(written()).toBe(`${ERASE}012345678`);
});

it.each([
  [0, 0],
  [0.5, 20],
  [1, 40],
  [1.2, 40],
])("fills the bar for %d", (part, full) => {
  expect(barText(part)).toBe("█".repeat(full) + "░".repeat(40 - full));
});
