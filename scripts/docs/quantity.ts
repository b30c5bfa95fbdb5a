const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats milliseconds: `7200000` is `2 h`, `90000` is `1 min 30 s`. */
export function duration(milliseconds: number): string {
  const parts: string[] = [];
  let rest = milliseconds;
  for (const [size, unit] of [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "min"],
    [SECOND, "s"],
    [1, "ms"],
  ] as const) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return parts.join(" ") || "0 s";
}

/** Formats ascending durations. Four or more at equal distances become a range. */
export function durations(ascending: readonly number[]): string {
  const written: string[] = [];
  let start = 0;
  while (start < ascending.length) {
    const end = endOfRun(ascending, start);
    const run = ascending.slice(start, end);
    const [first = 0, second = 0] = run;
    if (run.length < 4) written.push(duration(first));
    else written.push(`${duration(first)} to ${duration(run.at(-1) ?? 0)} every ${duration(second - first)}`);
    start = run.length < 4 ? start + 1 : end;
  }
  return written.join(", ");
}

/** Formats bytes: `65536` is `64 KiB`. */
export function bytes(count: number): string {
  return count >= 1024 && count % 1024 === 0 ? `${count / 1024} KiB` : `${count} bytes`;
}

/** Returns the index after the run from `start` whose numbers have equal distances. */
function endOfRun(numbers: readonly number[], start: number): number {
  const at = (index: number) => numbers[index] ?? Number.NaN;
  let end = start + 1;
  while (end < numbers.length && at(end) - at(end - 1) === at(start + 1) - at(start)) end += 1;
  return end;
}
