import { LONGEST_TIMER_MS } from "@tillkit/runtime";

/** The result of a step. `more`: the next step follows at once. */
export type StepResult = "more" | "idle" | "failed";

/** The options of {@link startLoop}. */
export interface LoopOptions {
  /** Runs one bounded step. It must not reject. */
  readonly step: () => Promise<StepResult>;
  /** The pause between runs, in milliseconds. */
  readonly everyMs: number;
  /** Returns a number from 0 to 1, for the jitter. */
  readonly random: () => number;
}

/** A running loop. */
export interface Loop {
  /** Runs steps from now, or after the current run, until one reports no more work. */
  runNow(): Promise<void>;
  /**
   * Makes the next run start soon, because there may be new work. Never waits.
   *
   * Calls within 20 ms cause one run. After a failed step, the call does not shorten the pause.
   */
  wake(): void;
  /** Starts no further step, and resolves when the current step has ended. */
  stop(): Promise<void>;
}

/** The longest pause after failures, in milliseconds, unless the loop's own pause is longer. */
const LONGEST_PAUSE_MS = 60_000;

/** How long a woken loop waits for further calls, in milliseconds. */
const WAKE_MS = 20;

/**
 * Starts a loop whose steps never overlap.
 *
 * The first step starts at a random time within the first pause, so that processes that start
 * together spread out. Later pauses vary by a fifth. Each consecutive failure doubles the pause. A
 * running loop keeps the process alive.
 */
export function startLoop({ step, everyMs, random }: LoopOptions): Loop {
  let stopped = false;
  let failures = 0;
  let woken = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;

  function schedule(ms: number): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), Math.min(ms, LONGEST_TIMER_MS));
  }

  // A requested run waits for the current one, which may have read the clock before the request.
  function run(): Promise<void> {
    const mine: Promise<void> = (running ?? Promise.resolve()).then(stepsUntilIdle).finally(() => {
      if (running !== mine) return;
      running = undefined;
      if (woken && failures === 0) {
        schedule(WAKE_MS);
        return;
      }
      const longest = Math.max(LONGEST_PAUSE_MS, everyMs);
      schedule(Math.min(everyMs * 2 ** Math.min(failures, 20), longest) * (0.8 + 0.4 * random()));
    });
    running = mine;
    return mine;
  }

  async function stepsUntilIdle(): Promise<void> {
    let result: StepResult = "more";
    while (result === "more" && !stopped) {
      woken = false;
      result = await step();
      failures = result === "failed" ? failures + 1 : 0;
    }
  }

  schedule(everyMs * random());
  return {
    runNow: run,
    wake: () => {
      if (woken) return;
      woken = true;
      if (running === undefined && failures === 0) schedule(WAKE_MS);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
