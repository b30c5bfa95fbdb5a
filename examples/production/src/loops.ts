import type { ResultAsync } from "neverthrow";

/** Work that is done again and again beside the requests. */
export interface LoopOptions {
  /** One bounded step; `more` says that the next should follow at once. */
  readonly step: () => ResultAsync<
    { readonly more: boolean },
    { readonly name: string; readonly cause?: unknown }
  >;
  /** The pause between runs, in milliseconds. */
  readonly every: number;
  /** Hears how each step ended; a failure has what went wrong. */
  readonly report: (outcome: "ok" | { readonly name: string; readonly cause?: unknown }) => void;
  /** From 0 to 1; the machine's unless told. */
  readonly random?: () => number;
}

/** A loop that runs. */
export interface Loop {
  /** Begins no further step and resolves when the one under way is over. */
  stop(): Promise<void>;
}

/** The longest pause after failures, in milliseconds, unless the loop's own is longer. */
const LONGEST_PAUSE = 60_000;

/**
 * Starts a loop whose steps follow each other and never overlap. Pauses vary by a fifth, so that processes started together spread out; each
 * failure in a row doubles them. A step that rejects counts as failed.
 */
export function startLoop({ step, every, report, random = Math.random }: LoopOptions): Loop {
  let stopping = false;
  let wake: () => void = () => undefined;

  async function run(): Promise<void> {
    // Anywhere within the first pause: a fleet that is deployed at once should not ask at once.
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

  // A function, because the compiler would take the variable to be what it was before the last `await`.
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
