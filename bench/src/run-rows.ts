import { loadavg } from "node:os";
import { openBench } from "./harness/bench.js";
import { measure, type MeasureOptions } from "./harness/measure.js";
import { minutesText, openProgress } from "./harness/progress.js";
import type { BenchRow } from "./harness/row.js";
import { openYardstick } from "./harness/yardstick.js";
import { noiseOf, noiseText } from "./report/noise.js";
import { printCounts, printFigures, printRound } from "./report/print.js";
import type { RowNoise } from "./report/result.js";
import { summaryLines } from "./report/summary.js";
import { refuseUnexplained, writeResults } from "./report/write-results.js";
import type { OpenRow } from "./rows.js";
import { usualSeconds } from "./usual-seconds.js";

/** How to run rows. */
export interface RunOptions {
  readonly rows: readonly (readonly [name: string, open: OpenRow])[];
  readonly rounds: number;
  readonly quick: boolean;
  /** The folder for CPU profiles of Tillkit's servers. */
  readonly profile?: string | undefined;
  /** The folder for the page of results, if it is written, and the order of its rows. */
  readonly write?: { readonly home: URL; readonly names: readonly string[] } | undefined;
}

/** A row with its results. */
export type RunRow = Pick<BenchRow, "work" | "targets" | "counts" | "lessData"> & {
  readonly name: string;
  readonly played: Awaited<ReturnType<typeof measure>>;
  readonly noise: RowNoise;
};

/** The lengths of rounds and warm-ups. A quick run gives rough figures. */
const PACES = {
  full: { roundMs: 700, warmWorks: 20_000 },
  quick: { roundMs: 250, warmUpMs: 400, warmWorks: 4_000, warmRounds: 2 },
} as const satisfies Record<
  string,
  Pick<MeasureOptions, "roundMs" | "warmUpMs" | "warmWorks" | "warmRounds">
>;

const ROUGH = `Quick figures are rough: short rounds, little data, short warm-ups. Targets marked "less data" need a full run. Only a run without --quick decides.`;

/** Runs rows one after the other and prints their figures, then the outcomes of all targets. */
export async function runRows(options: RunOptions): Promise<readonly RunRow[]> {
  const { rows, quick, profile, write } = options;
  const startedAt = performance.now();
  const run = new Date().toISOString();
  const nodeOptions = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const bench = openBench({ quick, nodeOptions });
  const progress = openProgress(
    new Map(rows.map(([name]) => [name, usualSeconds(name)[quick ? "quick" : "full"]])),
  );
  const yardstick = openYardstick();
  const done: RunRow[] = [];
  try {
    for (const [index, [name, open]] of rows.entries()) {
      console.log(`\n${name} (${index + 1} of ${rows.length}; ${minutesText(progress.remaining())} left)`);
      const rowStartedAt = performance.now();
      const row = await open(bench);
      const openedAt = performance.now();
      console.log(row.work);
      const measured = await measureRow(row, options, yardstick);
      const { work, targets, counts, lessData } = row;
      const result = { name, work, targets, played: measured.played, noise: { run, ...measured.noise } };
      done.push({ ...result, ...(counts && { counts }), ...(lessData !== undefined && { lessData }) });
      if (counts !== undefined) printCounts(counts);
      printFigures(measured.played, targets);
      const [opening, whole] = [openedAt - rowStartedAt, performance.now() - rowStartedAt];
      console.log(
        `The row took ${minutesText(whole / 1_000)}, and its start ${minutesText(opening / 1_000)} of them.`,
      );
      if (write !== undefined)
        await writeResults({ ...result, ...(counts && { counts }) }, write.names, write.home);
      progress.end(name);
    }
  } finally {
    await bench.close();
  }
  printSummary(done, quick);
  console.log(`\nIt took ${minutesText((performance.now() - startedAt) / 1_000)}.`);
  if (write !== undefined) await refuseUnexplained(done);
  return done;
}

async function measureRow(row: BenchRow, { rounds, quick }: RunOptions, yardstick: () => number) {
  const [before = 0] = loadavg();
  const signatureUs = [yardstick()];
  // Starting a process takes seconds, and its figures hardly differ between rounds.
  const isSlow = row.contestants.every(({ startsAnew }) => startsAnew);
  const played = await measure(row, {
    rounds: quick && isSlow ? 1 : rounds,
    ...PACES[quick ? "quick" : "full"],
    beforeRound: () => signatureUs.push(yardstick()),
    onRound: printRound,
  });
  const [after = 0] = loadavg();
  return { played, noise: { signatureUs, load: [before, after] as const } };
}

function printSummary(rows: readonly RunRow[], quick: boolean): void {
  console.log("\nTargets");
  console.table(summaryLines(rows));
  console.log(`One RSA-2048 signature took ${noiseText(noiseOf(rows.map(({ noise }) => noise)))}.`);
  if (quick) console.log(ROUGH);
}
