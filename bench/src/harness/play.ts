import { quantile } from "./figures.js";
import type { Round } from "./row.js";

/** Repeats `once` in this process for about `ms` milliseconds, `atOnce` operations concurrently. */
export async function play(once: () => Promise<unknown>, atOnce: number, ms: number): Promise<Round> {
  const usedBefore = process.cpuUsage();
  const startedAt = performance.now();
  const times: number[] = [];
  const worker = async (): Promise<void> => {
    for (let from = performance.now(); from - startedAt < ms;) {
      await once();
      const until = performance.now();
      times.push(until - from);
      from = until;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const elapsed = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(usedBefore);
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: (times.length * 1_000) / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpu: (user + system) / times.length,
  };
}
