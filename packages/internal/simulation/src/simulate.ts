import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** The outcome of one seed. */
export type SeedResult = z.infer<typeof seedResult>;

const seedResult = z.object({
  seed: z.number(),
  /** SHA-256 of the log of the run. */
  hash: z.string(),
  events: z.number(),
  /** The violated invariant, if any. */
  promise: z.string().optional(),
});

const PROGRAM = fileURLToPath(new URL("./run-seeds.ts", import.meta.url));

/**
 * Runs seeds in `jobs` processes and returns the outcomes, sorted by seed.
 *
 * Stops all processes after the first violation. `address` is that of the stores, see
 * {@link openStorage}.
 */
export async function simulate(
  seeds: readonly number[],
  { jobs, address }: { readonly jobs: number; readonly address: string },
  progress: (done: number) => void,
): Promise<readonly SeedResult[]> {
  const results: SeedResult[] = [];
  const shares = Array.from({ length: jobs }, (_, job) =>
    seeds.filter((_seed, index) => index % jobs === job),
  );
  const children = shares
    .filter((share) => share.length > 0)
    .map((share) => fork(PROGRAM, [address, ...share.map(String)]));
  let stopped = false;
  const stopAll = () => {
    stopped = true;
    for (const child of children) child.kill();
  };
  const ends = children.map(
    (child) =>
      new Promise<void>((resolve, reject) => {
        child.on("message", (message) => {
          const result = seedResult.parse(message);
          results.push(result);
          progress(results.length);
          if (result.promise !== undefined) stopAll();
        });
        child.on("error", reject);
        child.on("exit", (code) => {
          if (code === 0 || stopped) resolve();
          else reject(new Error(`A job ended with ${String(code)}.`));
        });
      }),
  );
  try {
    await Promise.all(ends);
  } finally {
    stopAll();
  }
  return results.sort((left, right) => left.seed - right.seed);
}

/** Returns one hash over all outcomes: equal if every run was equal. */
export function traceHash(results: readonly SeedResult[]): string {
  const lines = results.map(({ seed, hash }) => `${String(seed)} ${hash}`);
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
