import { Presets, SingleBar } from "cli-progress";
import type { Input } from "./input-file.js";
import type { Io } from "./io.js";

/** How many counts or lines pass between two progress lines if there is no terminal. */
export const LINE_EVERY = 100_000;

/** Reports how far a file has been read. */
export interface ImportProgress {
  /** Yields the same batches and counts them. */
  over<T>(batches: AsyncIterable<readonly T[]>): AsyncIterable<readonly T[]>;
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
  const bar = wanted && stderr.isTTY === true ? newBar(stderr, size, unit) : undefined;
  let bytes = 0;
  const read = bytesRead ?? (() => bytes);
  let counts = 0;
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
  });
  // The listener above starts the flow of data before a reader is attached, and data would be lost.
  stream.pause();
  return {
    async *over(batches) {
      for await (const batch of batches) {
        const before = counts;
        counts += batch.length;
        bar?.update(read(), { counts });
        if (bar === undefined && Math.floor(before / LINE_EVERY) < Math.floor(counts / LINE_EVERY))
          stderr.write(`${counts} ${unit} read\n`);
        yield batch;
      }
      bar?.update(size ?? read(), { counts: `${counts}, storing` });
    },
    stop: () => {
      bar?.stop();
      stream.destroy();
    },
  };
}

function newBar(stream: Io["stderr"], size: number | undefined, unit: string): SingleBar {
  const format = size === undefined ? `{counts} ${unit}` : `{bar} {percentage} % | {counts} ${unit}`;
  const bar = new SingleBar(
    { stream, format, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(size ?? 0, 0, { counts: 0 });
  return bar;
}
