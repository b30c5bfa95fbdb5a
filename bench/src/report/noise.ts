import { type Spread, spreadOf } from "../harness/figures.js";
import type { RowNoise, RowResult } from "./result.js";
import { shown } from "./texts.js";

/** The noise of the machine during a run. */
export interface RunNoise {
  readonly samples: number;
  /** Microseconds per RSA-2048 signature, a fixed work that shows the machine's present speed. */
  readonly signature: Spread;
  readonly fastest: number;
  readonly slowest: number;
  /** The load average at the start of the first row and at the end of the last one. */
  readonly load: readonly [number, number];
}

/** Summarizes the noise of the rows of one run, in their order. */
export function noiseOf(rows: readonly RowNoise[]): RunNoise {
  const samples = rows.flatMap(({ signatureUs }) => signatureUs);
  return {
    samples: samples.length,
    signature: spreadOf(samples),
    fastest: Math.min(...samples),
    slowest: Math.max(...samples),
    load: [rows[0]?.load[0] ?? Number.NaN, rows.at(-1)?.load[1] ?? Number.NaN],
  };
}

/** Formats the time of a signature with its spread, also as a share of the median. */
export function noiseText({ signature: { median, low, high }, fastest, slowest }: RunNoise): string {
  const share = ((100 * (high - low)) / median).toFixed(0);
  return `${shown(median)} µs (${shown(low)} – ${shown(high)}, ${share} %; all ${shown(fastest)} – ${shown(slowest)})`;
}

/** One line per run: the machine, its load, and the time of a signature. */
export function noiseLines(results: readonly RowResult[]): readonly (readonly string[])[] {
  const runs = new Map<string, (RowResult & { readonly noise: RowNoise })[]>();
  for (const { noise, ...row } of results) {
    if (noise === undefined) continue;
    const rows = runs.get(noise.run) ?? [];
    runs.set(noise.run, [...rows, { ...row, noise }]);
  }
  return [...runs].map(([run, rows]) => {
    const summary = noiseOf(rows.map(({ noise }) => noise));
    return [
      run.slice(0, 16).replace("T", " "),
      String(rows.length),
      rows[0]?.machine ?? "",
      /Node [\d.]+/u.exec(rows[0]?.versions ?? "")?.[0] ?? "",
      summary.load.map((load) => load.toFixed(1)).join(" → "),
      String(summary.samples),
      noiseText(summary),
    ];
  });
}
