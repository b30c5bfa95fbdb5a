import type { Input } from "./input-file.js";
import type { Io } from "./io.js";
import { barText, statusLine } from "./status-line.js";

/** How many counts or lines pass between two progress lines if there is no terminal. */
export const LINE_EVERY = 100_000;

/** Reports how far a file has been read. */
export interface ImportProgress {
  /** Yields the same batches and counts them. */
  over<T>(batches: AsyncIterable<readonly T[]>): AsyncIterable<readonly T[]>;
  /** Prints lines, above the bar if there is one. Each ends with a line break. */
  print(lines: string): void;
  /** Removes the bar and closes the file. */
  stop(): void;
}

/**
 * Reports the progress of an import on standard error.
 *
 * Shows a bar if `bar` is set and standard error is a terminal. Otherwise prints a line every
 * {@link LINE_EVERY} counts or lines.
 */
export function importProgress(
  { stderr }: Pick<Io, "stderr">,
  { stream, size, bytesRead }: Input,
  { bar: wanted, unit }: { readonly bar: boolean; readonly unit: "counts" | "lines" },
): ImportProgress {
  const line = wanted && stderr.isTTY === true ? statusLine(stderr) : undefined;
  let bytes = 0;
  const read = bytesRead ?? (() => bytes);
  let counts = 0;
  const show = (done: number, stored: string) => line?.update(barOf(done, size) + stored);
  show(0, `0 ${unit}`);
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
  });
  // Without this pause, data would be lost: the listener above starts the flow before a reader is
  // attached.
  stream.pause();
  return {
    async *over(batches) {
      for await (const batch of batches) {
        const before = counts;
        counts += batch.length;
        show(read(), `${counts} ${unit}`);
        if (line === undefined && Math.floor(before / LINE_EVERY) < Math.floor(counts / LINE_EVERY))
          stderr.write(`${counts} ${unit} read\n`);
        yield batch;
      }
      show(size ?? read(), `${counts} ${unit}, storing`);
    },
    print: (lines) => {
      if (line === undefined) stderr.write(lines);
      else line.print(lines);
    },
    stop: () => {
      line?.stop();
      stream.destroy();
    },
  };
}

/** Returns a bar and the percentage, or nothing if the size of the file is unknown. */
function barOf(done: number, size: number | undefined): string {
  if (size === undefined) return "";
  const part = size === 0 ? 1 : done / size;
  return `${barText(part)} ${Math.floor(Math.min(part, 1) * 100)} % | `;
}
