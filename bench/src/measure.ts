/** One way of doing a row's work. */
export interface Contestant {
  readonly name: string;
  /** Does the work once. */
  readonly once: () => Promise<unknown>;
  /** Works that may be under way at once; 1 unless said otherwise. */
  readonly atOnce?: number;
}

/** A row's contestants; the first is ours and the others are what it is compared with. */
export interface Row {
  readonly contestants: readonly [ours: Contestant, ...others: Contestant[]];
  readonly close?: () => Promise<void>;
}

/** The measured speed of one contestant, in works a second. */
export interface Figure {
  readonly name: string;
  readonly median: number;
  readonly slowest: number;
  readonly fastest: number;
  /** The first contestant's median as a multiple of this one's. */
  readonly ratio: number;
}

/** Runs the contestants in turns for `rounds` rounds of about `roundMs` each, after one unmeasured round. */
export async function measure(row: Row, rounds = 7, roundMs = 300): Promise<readonly Figure[]> {
  const speeds = new Map(row.contestants.map(({ name }) => [name, new Array<number>()]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const contestant of row.contestants) {
      const speed = await speedOf(contestant, roundMs);
      if (round > 0) speeds.get(contestant.name)?.push(speed);
    }
  }
  await row.close?.();
  const ours = median(speeds.get(row.contestants[0].name) ?? []);
  return [...speeds].map(([name, values]) => ({
    name,
    median: median(values),
    slowest: Math.min(...values),
    fastest: Math.max(...values),
    ratio: ours / median(values),
  }));
}

async function speedOf({ once, atOnce = 1 }: Contestant, roundMs: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - startedAt < roundMs) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (done * 1_000) / (performance.now() - startedAt);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
