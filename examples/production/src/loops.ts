import type { ResultAsync } from "neverthrow";

/** Background work that is repeated. */
export interface LoopOptions {
  /** Runs one bounded step. `more` requests the next step immediately. */
  readonly step: () => ResultAsync<
    { readonly more: boolean },
    { readonly name: string; readonly cause?: unknown }
  >;
  /** The pause between runs, in milliseconds. */
  readonly every: number;
  /** Receives the outcome of each step. A failure contains its name and cause. */
  readonly report: (outcome: "ok" | { readonly name: string; readonly cause?: unknown }) => void;
  /** Returns a number from 0 to 1. Defaults to `Math.random`. */
  readonly random?: () => number;
}

/** A running loop. */
export interface Loop {
  /** Starts no further step and resolves when the current step has ended. */
  stop(): Promise<void>;
}

/** The longest pause after failures, in milliseconds, unless the loop's own pause is longer. */
const LONGEST_PAUSE = 60_000;

/**
 * Starts a loop whose steps never overlap.
 *
 * Pauses vary by a fifth, so that processes that started together spread out. Each consecutive
 * failure doubles the pause. A step that rejects counts as failed.
 */
export function startLoop({ step, every, report, random = Math.random }: LoopOptions): Loop {
  let stopping = false;
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    // Starts at a random time within the first pause, so that a deployed fleet does not start at
    // once.
    await pause(every * random());
    let failures = 0;
    while (!isStopping()) {
      const outcome = await settled();
      failures = outcome === "failed" ? failures + 1 : 0;
      if (outcome === "more") continue;
      const longest = Math.max(LONGEST_PAUSE, every);
      await pause(Math.min(every * 2 ** Math.min(failures, 20), longest) * (0.8 + 0.4 * random()));
    }
  }

  async function settled(): Promise<"more" | "idle" | "failed"> {
    try {
      const done = await step();
      report(done.isOk() ? "ok" : done.error);
      if (done.isErr()) return "failed";
      return done.value.more ? "more" : "idle";
    } catch (cause) {
      report({ name: "loop.broken", cause });
      return "failed";
    }
  }

  // A function, because the compiler assumes that the variable is unchanged after an `await`.
  function isStopping(): boolean {
    return stopping;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (stopping) {
        resolve();
        return;
      }
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const ended = run();
  return {
    stop: async () => {
      stopping = true;
      wake();
      await ended;
    },
  };
}
