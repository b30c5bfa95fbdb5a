import type { Outcome } from "./outcome.js";

/** Runs steps, prints their outcomes and counts them. */
export interface StepRunner {
  readonly run: (title: string, work: () => Promise<Outcome>) => Promise<void>;
  /** Prints `N passed, N failed`. Returns the exit code. */
  readonly finish: () => number;
}

/** Creates a runner that prints with `say`. A step that throws counts as failed. */
export function newStepRunner(say: (line: string) => void): StepRunner {
  const counts = { passed: 0, failed: 0 };
  return {
    run: async (title, work) => {
      const began = performance.now();
      say(`\n== ${title}`);
      const { status, lines } = await work().catch((error: unknown): Outcome => ({
        status: "failed",
        lines: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      }));
      for (const line of lines) say(`   ${line}`);
      say(`   ${status}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      if (status !== "not run") counts[status] += 1;
    },
    finish: () => {
      say(`\n${String(counts.passed)} passed, ${String(counts.failed)} failed`);
      return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
    },
  };
}
