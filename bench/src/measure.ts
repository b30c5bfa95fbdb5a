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
  /** Microseconds of processor time a work, in the round that other programs on the machine disturbed least. */
  readonly cpu: number;
  /** The first contestant's median as a multiple of this one's. */
  readonly ratio: number;
}

/** Runs the contestants in turns for `count` rounds of about `roundMs` each, after one unmeasured round. */
export async function measure(row: Row, count = 7, roundMs = 300): Promise<readonly Figure[]> {
  const rounds = new Map(row.contestants.map(({ name }) => [name, new Array<Round>()]));
  for (let round = 0; round <= count; round += 1) {
    for (const contestant of row.contestants) {
      const result = await play(contestant, roundMs);
      if (round > 0) rounds.get(contestant.name)?.push(result);
    }
  }
  await row.close?.();
  const ours = median((rounds.get(row.contestants[0].name) ?? []).map(({ speed }) => speed));
  return [...rounds].map(([name, played]) => {
    const speeds = played.map(({ speed }) => speed);
    return {
      name,
      median: median(speeds),
      slowest: Math.min(...speeds),
      fastest: Math.max(...speeds),
      cpu: Math.min(...played.map(({ cpu }) => cpu)),
      ratio: ours / median(speeds),
    };
  });
}

interface Round {
  /** Works a second. */
  readonly speed: number;
  /** Microseconds of processor time a work. */
  readonly cpu: number;
}

async function play({ once, atOnce = 1 }: Contestant, roundMs: number): Promise<Round> {
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() - startedAt < roundMs) {
      await once();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const { user, system } = process.cpuUsage(usedBefore);
  return { speed: (done * 1_000) / (performance.now() - startedAt), cpu: (user + system) / done };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
