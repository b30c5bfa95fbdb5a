import type { DailyCount } from "@tillkit/core";
import { Presets, SingleBar } from "cli-progress";
import type { Input } from "./input-file.js";
import type { Io } from "./io.js";

/** How many counts or lines pass between two lines where there is no terminal. */
export const LINE_EVERY = 100_000;

/** Says how far a file has been read. */
export interface ImportProgress {
  /** The same batches, counted as they pass. */
  over(batches: AsyncIterable<readonly DailyCount[]>): AsyncIterable<readonly DailyCount[]>;
  /** Takes the bar away and lets go of the file. */
  stop(): void;
}

/** Progress on standard error: a bar if `bar` is wanted and it is a terminal, or else a line now and then. */
export function importProgress(
  { stderr }: Pick<Io, "stderr">,
  { stream, size }: Input,
  { bar: wanted }: { readonly bar: boolean },
): ImportProgress {
  const bar = wanted && stderr.isTTY === true ? newBar(stderr, size) : undefined;
  let bytes = 0;
  let counts = 0;
  stream.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
  });
  // Nobody has asked for the data yet; a listener alone would let it pass unread.
  stream.pause();
  return {
    async *over(batches) {
      for await (const batch of batches) {
        const before = counts;
        counts += batch.length;
        bar?.update(bytes, { counts });
        if (bar === undefined && Math.floor(before / LINE_EVERY) < Math.floor(counts / LINE_EVERY))
          stderr.write(`${counts} counts read\n`);
        yield batch;
      }
      bar?.update(size ?? bytes, { counts: `${counts}, storing` });
    },
    stop: () => {
      bar?.stop();
      // Whatever was not read will not be any more.
      stream.destroy();
    },
  };
}

function newBar(stream: Io["stderr"], size: number | undefined): SingleBar {
  const format = size === undefined ? "{counts} counts" : "{bar} {percentage} % | {counts} counts";
  const bar = new SingleBar(
    { stream, format, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  bar.start(size ?? 0, 0, { counts: 0 });
  return bar;
}
