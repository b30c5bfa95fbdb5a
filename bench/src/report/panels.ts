import { type Spread, spreadOf } from "../harness/figures.js";
import type { Played, Role, Round } from "../harness/row.js";
import type { Target } from "../harness/target.js";

/** A part of a chart: one figure of all contestants. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The figure of a contestant. `seen` is absent if it was not measured. */
export interface Bar {
  readonly name: string;
  readonly role: Role;
  readonly seen?: Spread;
}

/**
 * Returns what the chart of a row shows: speed and processor time.
 *
 * A row with a limit for memory shows memory instead of speed.
 */
export function panelsOf(played: readonly Played[], targets: readonly Target[]): readonly Panel[] {
  const ofMemory = targets.some(({ kind }) => kind === "megabytes");
  const panels = [
    ofMemory
      ? panelOf("MB of memory", played, ({ rss }) => rss)
      : panelOf("operations per second", played, ({ perSecond }) => perSecond),
    panelOf("processor time each, µs", played, ({ cpu }) => cpu),
  ];
  return panels.filter(({ bars }) => bars.some(({ seen }) => seen !== undefined));
}

function panelOf(
  title: string,
  played: readonly Played[],
  figure: (round: Round) => number | undefined,
): Panel {
  const bars = played.map(({ name, role, rounds }) => {
    const values = rounds.flatMap((round) => figure(round) ?? []);
    return { name, role, ...(values.length === 0 ? {} : { seen: spreadOf(values) }) };
  });
  return { title, bars };
}
