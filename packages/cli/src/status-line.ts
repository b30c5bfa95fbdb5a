import { clearLine, cursorTo } from "node:readline";
import type { Io } from "./io.js";

/** The shortest time between two texts on a terminal, in milliseconds. */
const REDRAW_MS = 100;

/** The assumed width of a terminal that does not report its width. */
const COLUMNS = 80;

/** One line of a terminal, which each text replaces. */
export interface StatusLine {
  /** Shows the text, at most ten times a second. */
  update(text: string): void;
  /** Prints lines above the line. Each of them ends with a line break. */
  print(lines: string): void;
  /** Removes the line. */
  stop(): void;
}

/** Opens a line with the progress of a command. Until `stop`, print other lines with `print`. */
export function statusLine(stream: Io["stderr"] & { readonly columns?: number }): StatusLine {
  let shown: string | undefined;
  let latest = "";
  let timer: NodeJS.Timeout | undefined;
  const erase = () => {
    cursorTo(stream, 0);
    clearLine(stream, 0);
  };
  const draw = () => {
    timer = undefined;
    if (latest === shown) return;
    shown = latest;
    erase();
    // A longer text would wrap, and `erase` removes one line.
    stream.write(latest.slice(0, (stream.columns ?? COLUMNS) - 1));
    timer = setTimeout(draw, REDRAW_MS).unref();
  };
  return {
    update: (text) => {
      latest = text;
      if (timer === undefined) draw();
    },
    print: (lines) => {
      erase();
      stream.write(lines);
      shown = undefined;
      clearTimeout(timer);
      draw();
    },
    stop: () => {
      clearTimeout(timer);
      erase();
    },
  };
}

/** Returns a bar of 40 characters. `part` is from 0 to 1. */
export function barText(part: number): string {
  const full = Math.round(Math.min(Math.max(part, 0), 1) * 40);
  return "█".repeat(full) + "░".repeat(40 - full);
}
